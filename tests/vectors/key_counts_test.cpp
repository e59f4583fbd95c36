// Sums of counted numbers, by evenly spaced keys and one by one: the same as a map of them, on every vector extension.
#include "vectors/key_counts.hpp"

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "reference/hard_inputs.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Numbers and counts with room to read past their end.
template <class T, class Count>
struct DrawnList {
  std::vector<KeyOf<T>> keys;
  std::vector<Count> counts;
  CountedNumbers<T, Count> list;
};

/// Keys near a power of two or anywhere below it, and an addend: of all exponents nearby, with few bits, so that ties
/// are frequent, or with many.
template <class T, class Count>
DrawnList<T, Count> drawn_list(IndexGenerator& draw) {
  constexpr int kDigits = std::numeric_limits<T>::digits;
  const auto number = [&](int exponent) {
    const auto fraction = static_cast<T>(below(draw, 3) == 0 ? 0 : below(draw, std::uint64_t{1} << (kDigits - 1)));
    const T x = std::ldexp(std::ldexp(T{1}, kDigits - 1) + fraction, exponent - kDigits + 1);
    return chance(draw, 2) ? x : -x;
  };
  DrawnList<T, Count> drawn;
  const std::size_t size = 1 + below(draw, chance(draw, 4) ? 70 : 12);
  const bool dense = !chance(draw, 5);
  const int exponent = chance(draw, 20) ? std::numeric_limits<T>::min_exponent : static_cast<int>(below(draw, 4));
  const T start = number(exponent);
  auto key = static_cast<KeyOf<T>>(number_key(start) - static_cast<KeyOf<T>>(below(draw, 40)));
  const KeyOf<T> first = key;
  for (std::size_t i = 0; i < size; ++i) {
    drawn.keys.push_back(key);
    drawn.counts.push_back(static_cast<Count>(1 + below(draw, 1000)));
    if (i > 0 && i + 1 < size && dense && chance(draw, 4)) drawn.counts.back() = 0;
    key = static_cast<KeyOf<T>>(key + (dense ? 1 : 1 + static_cast<KeyOf<T>>(below(draw, 9))));
  }
  const KeyOf<T> last = drawn.keys.back();
  T addend = number(exponent + static_cast<int>(below(draw, 10)) - 5);
  if (chance(draw, 3))
    addend = std::ldexp(std::nearbyint(addend / std::ldexp(start, 2 - kDigits)), exponent + 1 - kDigits);
  if (chance(draw, 20)) addend = std::ldexp(addend, -kDigits);
  drawn.keys.resize(size + kCounterSlack, 0);
  drawn.counts.resize(size + kCounterSlack, 77);  // of the next list
  drawn.list = {dense ? nullptr : drawn.keys.data(),
                drawn.counts.data(),
                size,
                first,
                last,
                addend,
                number_key(static_cast<T>(number_of<T>(first) + addend)),
                number_key(static_cast<T>(number_of<T>(last) + addend))};
  return drawn;
}

template <class T, class Count>
void check_counts(IndexGenerator& draw) {
  std::vector<DrawnList<T, Count>> drawn;
  drawn.push_back(drawn_list<T, Count>(draw));  // no copy, whose list would be the first one's
  const KeyOf<T> reach = 1 << 12;               // farther apart are no lists that share counters
  for (std::size_t i = below(draw, 3); i > 0; --i) {
    auto another = drawn_list<T, Count>(draw);
    if (key_distance(std::min(another.list.least, drawn[0].list.least),
                     std::max(another.list.most, drawn[0].list.most)) < static_cast<std::uint64_t>(reach))
      drawn.push_back(std::move(another));
  }
  std::vector<CountedNumbers<T, Count>> lists;
  std::map<KeyOf<T>, Count> expected;
  for (const auto& one : drawn) {
    lists.push_back(one.list);
    for (std::size_t i = 0; i < one.list.size; ++i)
      expected[number_key(static_cast<T>(number_of<T>(one.keys[i]) + one.list.addend))] += one.counts[i];
  }
  const KeyOf<T> low = expected.begin()->first;
  const std::uint64_t width = key_distance(low, expected.rbegin()->first) + 1;
  if (width > std::uint64_t{1} << 18) return;  // as a Tally
  constexpr std::size_t kGuard = 8;            // counters that nothing may touch
  std::vector<Count> even(kGuard + width + kCounterSlack + kGuard, 0);
  std::vector<Count> odd = even;
  const auto fill_guards = [&](std::vector<Count>& counters) {
    for (std::size_t i = 0; i < kGuard; ++i) counters[i] = counters[counters.size() - 1 - i] = 5;
  };
  fill_guards(even);
  fill_guards(odd);
  count_sums(lists, low, even.data() + kGuard, odd.data() + kGuard);
  std::size_t found = 0;
  for (const auto& [key, count] : expected) found += count != 0 ? 1 : 0;
  CAPTURE(number_of<T>(lists[0].first));
  CAPTURE(lists[0].addend);
  CAPTURE(lists[0].size);
  CHECK(merge_counters(even.data() + kGuard, odd.data() + kGuard, width) == found);
  bool same = true;
  for (std::size_t i = 0; i < width + kCounterSlack; ++i) {
    const auto at = expected.find(static_cast<KeyOf<T>>(low + static_cast<KeyOf<T>>(i)));
    const Count right = i < width && at != expected.end() ? at->second : 0;
    same = same && even[kGuard + i] == right && (i >= width || odd[kGuard + i] == 0);
  }
  CHECK(same);
  for (const auto* counters : {&even, &odd})
    for (std::size_t i = 0; i < kGuard; ++i) {
      CHECK((*counters)[i] == 5);
      CHECK((*counters)[counters->size() - 1 - i] == 5);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("counts of sums are those of a map, on every vector extension", Number, float, double) {
  on_each_target([] {
    IndexGenerator draw(RandomStream(47, 1, sizeof(Number)), 0);
    for (std::uint64_t i = 0; i < trials(2000); ++i) {
      check_counts<Number, std::uint32_t>(draw);
      check_counts<Number, std::uint64_t>(draw);
    }
  });
}
