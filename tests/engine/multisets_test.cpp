// Multisets by rank and by number, against a list of all of them.
#include "engine/multisets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "engine/multiset_parts.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::vector<std::vector<std::uint32_t>> limits_to_try() {
  std::vector<std::vector<std::uint32_t>> all{
      {1},       {5},          {1, 1},          {2, 1},       {1, 3, 2},
      {4, 4, 4}, {1, 1, 1, 1}, {3, 1, 1, 2, 1}, {2, 2, 2, 2}, std::vector<std::uint32_t>(9, 1)};
  IndexGenerator draw(RandomStream(3, 3, 3), 0);
  for (std::uint64_t i = 0; i < trials(20); ++i) {
    std::vector<std::uint32_t> limits(1 + below(draw, 6));
    for (std::uint32_t& limit : limits) limit = static_cast<std::uint32_t>(1 + below(draw, 4));
    all.push_back(limits);
  }
  return all;
}

/// Groups of so many equal numbers each.
TermGroups groups_of(const std::vector<std::uint32_t>& limits) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < limits.size(); ++i) numbers.insert(numbers.end(), limits[i], static_cast<double>(i));
  return TermGroups(numbers);
}

std::size_t size_of(const Multiset& set) { return std::accumulate(set.begin(), set.end(), std::size_t{0}); }

/// All multisets of `size`, by the last group first.
std::vector<Multiset> all_of(const std::vector<std::uint32_t>& limits, std::size_t size) {
  std::vector<Multiset> all{{}};
  for (const std::uint32_t limit : limits) {
    std::vector<Multiset> longer;
    for (const Multiset& set : all)
      for (std::uint32_t own = 0; own <= limit; ++own) {
        longer.push_back(set);
        longer.back().push_back(own);
      }
    all = std::move(longer);
  }
  std::erase_if(all, [&](const Multiset& set) { return size_of(set) != size; });
  std::sort(all.begin(), all.end(), [](const Multiset& a, const Multiset& b) {
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  });
  return all;
}

std::uint64_t place_of(const std::vector<Multiset>& all, const Multiset& set) {
  return static_cast<std::uint64_t>(std::find(all.begin(), all.end(), set) - all.begin());
}

}  // namespace

TEST_CASE("multisets are ranked by their last group, then by the one before") {
  for (const auto& limits : limits_to_try()) {
    CAPTURE(limits.size());
    const Multisets sets(limits);
    CHECK(sets.groups() == limits.size());
    CHECK(sets.total() == size_of(limits));
    for (std::size_t size = 0; size <= sets.total(); ++size) {
      CAPTURE(size);
      const std::vector<Multiset> all = all_of(limits, size);
      REQUIRE(sets.count(size) == all.size());
      Multiset walking = sets.at(size, 0);
      for (std::uint64_t rank = 0; rank < all.size(); ++rank) {
        CHECK(sets.at(size, rank) == all[rank]);
        CHECK(sets.rank(all[rank]) == rank);
        CHECK(walking == all[rank]);
        CHECK(sets.next(walking) == (rank + 1 < all.size()));
      }
    }
  }
}

TEST_CASE("parents are the multisets without one member, the first child is the lowest one with a member more") {
  for (const auto& limits : limits_to_try()) {
    const Multisets sets(limits);
    for (std::size_t size = 1; size <= sets.total(); ++size) {
      const std::vector<Multiset> smaller = all_of(limits, size - 1);
      const std::vector<Multiset> all = all_of(limits, size);
      const std::vector<Multiset> larger = size < sets.total() ? all_of(limits, size + 1) : std::vector<Multiset>{};
      std::uint64_t previous_child = 0;
      for (const Multiset& set : all) {
        std::vector<std::uint64_t> parents(sets.groups(), ~std::uint64_t{0});
        sets.parents(set, parents);
        for (std::size_t i = 0; i < set.size(); ++i) {
          if (set[i] == 0) continue;
          Multiset parent = set;
          --parent[i];
          CHECK(parents[i] == place_of(smaller, parent));
        }
        if (larger.empty()) continue;
        std::uint64_t lowest = larger.size();
        for (std::size_t i = 0; i < set.size(); ++i) {
          if (set[i] == limits[i]) continue;
          Multiset child = set;
          ++child[i];
          lowest = std::min(lowest, place_of(larger, child));
        }
        CHECK(sets.first_child(set) == lowest);
        CHECK(lowest >= previous_child);
        previous_child = lowest;
      }
    }
  }
}

TEST_CASE("40 groups of one: ranks of 64 bits go to and fro") {
  const Multisets sets(std::vector<std::uint32_t>(40, 1));
  CHECK(sets.count(20) == 137846528820);  // binomial(40, 20)
  IndexGenerator draw(RandomStream(1, 2, 3), 0);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t rank = below(draw, sets.count(20));
    const Multiset set = sets.at(20, rank);
    CHECK(size_of(set) == 20);
    CHECK(sets.rank(set) == rank);
  }
}

TEST_CASE("numbers of a part and of the rest add up to that of the whole") {
  for (const auto& limits : limits_to_try()) {
    const Multisets sets(limits);
    const SubsetIndex index(groups_of(limits));
    const std::vector<std::uint32_t> ranks = index.ranks();
    std::uint32_t subsets = 1;
    for (const std::uint32_t limit : limits) subsets *= limit + 1;
    REQUIRE(index.size() == subsets);
    REQUIRE(ranks.size() == subsets);
    std::vector<bool> taken(subsets, false);
    for (std::size_t size = 0; size <= sets.total(); ++size) {
      for (const Multiset& set : all_of(limits, size)) {
        const std::uint32_t number = index.number(set);
        REQUIRE(number < subsets);
        CHECK_FALSE(taken[number]);
        taken[number] = true;
        CHECK(ranks[number] == sets.rank(set));
        CHECK(index.count(number) == size);
        for (std::size_t i = 0; i < set.size(); ++i) {
          CHECK(index.held(number, i) == set[i]);
          if (set[i] == 0) continue;
          Multiset rest = set;
          --rest[i];
          CHECK(index.number(rest) + index.one(i) == number);
        }
      }
    }
  }
}

TEST_CASE("parts are all that fit, each with the number of labelled sets that it stands for") {
  for (const auto& limits : limits_to_try()) {
    const Multisets sets(limits);
    const SubsetIndex index(groups_of(limits));
    const std::vector<std::uint32_t> ranks = index.ranks();
    const Multiset& whole = limits;
    for (std::size_t largest = 0; largest <= sets.total(); ++largest) {
      MultisetParts<std::uint64_t> parts;
      parts.assign(whole, index, largest);
      CHECK(parts.numbers.at(0) == 0);
      std::size_t expected = 0;
      for (std::size_t size = 0; size <= largest; ++size) expected += all_of(limits, size).size();
      CHECK(parts.numbers.size() == expected);
      for (std::size_t size = 0; size <= largest; ++size) {
        std::uint64_t ways = 0;
        for (std::size_t i = 0; i < parts.numbers.size(); ++i)
          if (parts.sizes[i] == size) ways += parts.ways[i];
        std::uint64_t binomial = 1;  // labelled sets of that size
        for (std::size_t k = 1; k <= size; ++k) binomial = binomial * (sets.total() - k + 1) / k;
        CHECK(ways == binomial);
      }
      for (std::size_t i = 0; i < parts.numbers.size(); ++i) {
        const Multiset part = sets.at(parts.sizes[i], ranks[parts.numbers[i]]);
        CHECK(index.number(part) == parts.numbers[i]);
        std::uint64_t ways = 1;
        for (std::size_t g = 0; g < part.size(); ++g)
          for (std::uint32_t k = 1; k <= part[g]; ++k) ways = ways * (whole[g] - k + 1) / k;
        CHECK(parts.ways[i] == ways);
      }
    }
  }
}
