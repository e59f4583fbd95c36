// Counting keys, densely and sparsely, and packing what was counted: both ways the same as a std::map.
#include "engine/tally.hpp"

#include <doctest/doctest.h>

#include <map>

#include "engine/big_count.hpp"
#include "engine/result_lists.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

template <class Key, class Count>
using Table = std::map<Key, Count>;

template <class Key, class Count>
struct Addition {
  Key key;
  Count count;
};

/// Keys of a cluster about a random place, or anywhere, or of the far ends.
template <class Key, class Count>
std::vector<Addition<Key, Count>> additions(IndexGenerator& draw, std::size_t how_many, std::uint64_t width) {
  constexpr Key kHighest = std::numeric_limits<Key>::max();
  constexpr Key kLowest = std::numeric_limits<Key>::min() + 1;  // the least is no key
  const auto anywhere = [&] { return std::max(kLowest, static_cast<Key>(draw())); };
  const Key place = std::clamp<Key>(anywhere(), kLowest + 100'000'000, kHighest - 100'000'000);
  std::vector<Addition<Key, Count>> all;
  for (std::size_t i = 0; i < how_many; ++i) {
    const Key key = width > 0          ? static_cast<Key>(place + static_cast<Key>(below(draw, width)))
                    : chance(draw, 10) ? (chance(draw, 2) ? kLowest : kHighest)
                                       : anywhere();
    all.push_back({key, Count(1 + below(draw, 1000))});
  }
  return all;
}

template <class Key, class Count>
Table<Key, Count> expected_of(const std::vector<Addition<Key, Count>>& all) {
  Table<Key, Count> table;
  for (const auto& a : all) table[a.key] += a.count;
  return table;
}

/// Counts all in `tally`, with its ends known (`bounded`) or not.
template <class Key, class Count>
void count(Tally<Key, Count>& tally, const std::vector<Addition<Key, Count>>& all, bool bounded) {
  const Table<Key, Count> table = expected_of(all);
  tally.begin(bounded, table.begin()->first, table.rbegin()->first, static_cast<double>(all.size()));
  bool second = false;
  for (const auto& a : all) {
    if (!tally.dense()) {
      tally.add(a.key, a.count);
    } else {
      const auto place = static_cast<std::size_t>(a.key - tally.low());
      (second ? tally.second_window() : tally.window())[place] += a.count;
      second = !second;
    }
  }
}

/// What the tally holds, in the order it hands it out; it must be ascending.
template <class Key, class Count>
Table<Key, Count> taken(Tally<Key, Count>& tally) {
  Table<Key, Count> table;
  bool ascending = true;
  tally.take([&](Key key, const Count& n) {
    ascending = ascending && (table.empty() || table.rbegin()->first < key);
    table[key] += n;
  });
  CHECK(ascending);
  return table;
}

template <class Key, class Count>
bool equals(const ResultList<Key, Count>& list, const Table<Key, Count>& table) {
  Table<Key, Count> found;
  for (std::size_t i = 0; i < list.size; ++i)
    if (list.counts[i] != 0) found[list.key(i)] += list.counts[i];
  return found == table && list.first == table.begin()->first && list.last == table.rbegin()->first &&
         list.key(0) == list.first && list.key(list.size - 1) == list.last;
}

struct Spread {
  std::size_t additions;
  std::uint64_t width;  ///< 0: anywhere
};
constexpr Spread kSpreads[] = {{1, 1},   {3, 1},      {20, 30},       {200, 200},         {200, 1000},
                               {50, 0},  {3000, 0},   {3000, 5000},   {3000, 50'000'000}, {40, 500},
                               {2, 300}, {5000, 700}, {3000, 23'000}, {200, 2000}};

}  // namespace

TEST_CASE_TEMPLATE("dense and sparse tallies count the same, and are empty afterwards", Count, std::uint32_t,
                   std::uint64_t, Count128, BigCount) {
  using Key = std::int32_t;
  IndexGenerator draw(RandomStream(9, 1, sizeof(Count)), 0);
  Tally<Key, Count> used;  // for all: what one leaves behind would show in the next
  std::uint64_t dense = 0;
  for (std::uint64_t i = 0; i < trials(60); ++i) {
    const Spread spread = kSpreads[i % std::size(kSpreads)];
    const auto all = additions<Key, Count>(draw, spread.additions, spread.width);
    const Table<Key, Count> expected = expected_of(all);
    for (const bool bounded : {true, false}) {
      CAPTURE(i);
      CAPTURE(bounded);
      count(used, all, bounded);
      if (!bounded) CHECK_FALSE(used.dense());
      if (used.dense()) ++dense;
      CHECK(taken(used) == expected);
      CHECK(used.bytes() > 0);
    }
  }
  CHECK(dense > trials(60) / 4);
  CHECK(dense < trials(60));
}

TEST_CASE_TEMPLATE("64-bit keys far apart are told apart", Count, std::uint64_t, BigCount) {
  using Key = std::int64_t;
  IndexGenerator draw(RandomStream(9, 2, sizeof(Count)), 0);
  Tally<Key, Count> used;
  for (std::uint64_t i = 0; i < trials(40); ++i) {
    const Spread spread = kSpreads[i % std::size(kSpreads)];
    auto all = additions<Key, Count>(draw, spread.additions, spread.width);
    if (i % 5 == 0)
      for (auto& a : all) a.key = a.key << 32;  // alike in their low words
    count(used, all, true);
    CHECK(taken(used) == expected_of(all));
  }
}

TEST_CASE("one tally absorbs another that began alike") {
  using Key = std::int32_t;
  using Count = std::uint64_t;
  IndexGenerator draw(RandomStream(9, 3, 0), 0);
  Tally<Key, Count> left;
  Tally<Key, Count> right;
  for (std::uint64_t i = 0; i < trials(60); ++i) {
    CAPTURE(i);
    const Spread spread = kSpreads[i % std::size(kSpreads)];
    const auto all = additions<Key, Count>(draw, spread.additions, spread.width);
    const Table<Key, Count> expected = expected_of(all);
    for (Tally<Key, Count>* tally : {&left, &right})
      tally->begin(true, expected.begin()->first, expected.rbegin()->first, static_cast<double>(all.size()));
    for (std::size_t k = 0; k < all.size(); ++k) {
      Tally<Key, Count>& tally = k % 3 == 0 ? right : left;
      if (tally.dense())
        (k % 2 == 0 ? tally.window() : tally.second_window())[all[k].key - tally.low()] += all[k].count;
      else
        tally.add(all[k].key, all[k].count);
    }
    left.absorb(right);
    CHECK(taken(left) == expected);
    CHECK(taken(right).empty());
  }
}

TEST_CASE_TEMPLATE("packed lists say what was counted", Count, std::uint32_t, std::uint64_t, Count128, BigCount) {
  using Key = std::int32_t;
  IndexGenerator draw(RandomStream(9, 4, sizeof(Count)), 0);
  for (std::uint64_t i = 0; i < trials(10); ++i) {
    Segment<Key, Count> packed;
    Segment<Key, Count> plain;
    std::vector<Table<Key, Count>> expected;
    for (const Spread& spread : kSpreads) {  // one after the other into the same segments
      const auto all = additions<Key, Count>(draw, spread.additions, spread.width);
      for (auto* segment : {&packed, &plain}) {
        Tally<Key, Count> tally;
        count(tally, all, segment == &packed);
        segment->append(tally, segment == &packed);
      }
      expected.push_back(expected_of(all));
    }
    packed.shrink();
    plain.shrink();
    std::size_t runs = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      CAPTURE(k);
      CHECK(equals(packed.list(k), expected[k]));
      CHECK(equals(plain.list(k), expected[k]));
      CHECK(plain.list(k).keys != nullptr);
      if (packed.list(k).keys == nullptr) ++runs;
    }
    CHECK(runs >= 2);
    CHECK(runs < expected.size());
    CHECK(packed.bytes() <= plain.bytes());
  }
}
