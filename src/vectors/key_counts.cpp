// In Highway's portable vectors: this file is compiled once for each extension.
#include "vectors/key_counts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vectors/key_counts.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "core/arithmetic_guard.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of 32 bytes: most lists are short, and within them neighbours are exchanged in few steps.
template <class T>
using Numbers = hn::CappedTag<T, 32 / sizeof(T)>;
template <class T>
using Keys = hn::RebindToSigned<Numbers<T>>;

/// number_of and number_key exchange the same bits.
template <class T>
HWY_INLINE hn::Vec<Keys<T>> exchanged(hn::Vec<Keys<T>> key) {
  constexpr int kSign = 8 * sizeof(T) - 1;
  return hn::Xor(key, hn::And(hn::ShiftRight<kSign>(key), hn::Set(Keys<T>(), std::numeric_limits<KeyOf<T>>::max())));
}

template <class T>
HWY_INLINE KeyOf<T> key_of_sum(KeyOf<T> key, T addend) {
  return number_key(static_cast<T>(number_of<T>(key) + addend));
}

/// The exponent of a number; those that have the same, and one sign, have equal ulps.
template <class T>
HWY_INLINE KeyOf<T> exponent_of(KeyOf<T> key) {
  constexpr int kSign = 8 * sizeof(T) - 1;
  constexpr int kFraction = std::numeric_limits<T>::digits - 1;
  return std::max<KeyOf<T>>((key ^ (key >> kSign)) >> kFraction, 1);
}

template <class Count>
using CountTag = hn::CappedTag<Count, 32 / sizeof(Count)>;

/// counts[i], counts[i + 1], ... below `size`, then zeros.
template <class Count>
HWY_INLINE hn::Vec<CountTag<Count>> some_counts(const Count* counts, std::size_t i, std::size_t size) {
  const CountTag<Count> tag;
  if (i >= size) return hn::Zero(tag);
  return hn::IfThenElseZero(hn::FirstN(tag, std::min(size - i, hn::Lanes(tag))), hn::LoadU(tag, counts + i));
}

template <class Count>
HWY_INLINE void add_to(Count* counters, hn::Vec<CountTag<Count>> counts) {
  const CountTag<Count> tag;
  hn::StoreU(hn::Add(hn::LoadU(tag, counters), counts), tag, counters);
}

/// Counts the sums one by one, in both sets of counters in turn: neighbours often become one key, and adding to one
/// counter again and again waits for the last addition.
template <class T, class Count>
HWY_INLINE void count_each(const CountedNumbers<T, Count>& list, KeyOf<T> low, Count* even, Count* odd) {
  const Numbers<T> numbers;
  const Keys<T> keys;
  const std::size_t lanes = hn::Lanes(keys);
  const auto addend = hn::Set(numbers, list.addend);
  HWY_ALIGN KeyOf<T> places[32 / sizeof(T)];
  auto next = hn::Iota(keys, list.first);
  for (std::size_t i = 0; i < list.size; i += lanes) {
    const auto key = list.keys == nullptr ? next : hn::LoadU(keys, list.keys + i);
    const auto sum = hn::Add(hn::BitCast(numbers, exchanged<T>(key)), addend);
    hn::Store(hn::Sub(exchanged<T>(hn::BitCast(keys, sum)), hn::Set(keys, low)), keys, places);
    next = hn::Add(next, hn::Set(keys, static_cast<KeyOf<T>>(lanes)));
    const std::size_t some = std::min(lanes, list.size - i);
    for (std::size_t l = 0; l < some; ++l) (l % 2 == 0 ? even : odd)[places[l]] += list.counts[i + l];
  }
}

#if HWY_TARGET != HWY_SCALAR

/// Counts of sums as far apart as the numbers.
template <class Count>
HWY_INLINE void add_run(const Count* counts, std::size_t size, Count* to) {
  for (std::size_t i = 0; i < size; i += hn::Lanes(CountTag<Count>())) add_to(to + i, some_counts(counts, i, size));
}

/// The same where every sum is a tie: the first goes down, to to[0], the second up, to two counters further, and so on.
template <class Count>
HWY_INLINE void add_ties(const Count* counts, std::size_t size, Count* to, Count* other) {
  const CountTag<Count> tag;
  const auto down = hn::Eq(hn::And(hn::Iota(tag, Count{0}), hn::Set(tag, Count{1})), hn::Zero(tag));
  for (std::size_t i = 0; i < size; i += hn::Lanes(tag)) {
    const auto some = some_counts(counts, i, size);
    add_to(to + i, hn::IfThenElseZero(down, some));
    add_to(other + i + 1, hn::IfThenZeroElse(down, some));
  }
}

/// Counts of sums whose keys are twice as far apart as those of the numbers.
template <class Count>
HWY_INLINE void add_apart(const Count* counts, std::size_t size, Count* to) {
  const CountTag<Count> tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t i = 0; i < size; i += lanes) {
    const auto some = some_counts(counts, i, size);
    const auto a = hn::InterleaveLower(tag, some, hn::Zero(tag));
    const auto b = hn::InterleaveUpper(tag, some, hn::Zero(tag));
    const bool two_blocks = lanes * sizeof(Count) == 32;  // within which numbers are interleaved
    add_to(to + 2 * i, two_blocks ? hn::ConcatLowerLower(tag, b, a) : a);
    add_to(to + 2 * i + lanes, two_blocks ? hn::ConcatUpperUpper(tag, b, a) : b);
  }
}

/// Counts of numbers of which two and two have one sum; `alone`: the first has one of its own.
template <class Count>
HWY_INLINE void add_pairs(const Count* counts, std::size_t size, bool alone, Count* to) {
  const CountTag<Count> tag;
  const std::size_t lanes = hn::Lanes(tag);
  if (alone) *to++ += *counts++;
  size -= alone ? 1 : 0;
  for (std::size_t i = 0; i < size; i += 2 * lanes) {
    const auto a = some_counts(counts, i, size);
    const auto b = some_counts(counts, i + lanes, size);
    add_to(to + i / 2, hn::Add(hn::ConcatEven(tag, b, a), hn::ConcatOdd(tag, b, a)));
  }
}

/// Counts of numbers of which the first `first`, then in turn `next` and `after` have one sum.
template <class Count>
HWY_INLINE void add_groups(const Count* counts, std::size_t size, std::size_t first, std::size_t next,
                           std::size_t after, Count* to) {
  for (std::size_t i = 0, end = first; i < size; end += next, std::swap(next, after)) {
    Count sum = 0;
    for (const std::size_t stop = std::min(end, size); i < stop; ++i) sum += counts[i];
    *to++ += sum;
  }
}

/// Counts a dense list by evenly spaced keys, if numbers and sums have one exponent each. False: nothing was counted.
template <class T, class Count>
HWY_INLINE bool count_evenly(const CountedNumbers<T, Count>& list, KeyOf<T> low, Count* even, Count* odd) {
  constexpr int kFraction = std::numeric_limits<T>::digits - 1;
  constexpr int kFarthest = 6;  // farther apart, one by one is as fast
  const KeyOf<T> first = list.first;
  if ((((first ^ list.last) | (list.least ^ list.most)) >> kFraction) != 0) return false;
  Count* const to = even + (list.least - low);
  const auto finer = static_cast<int>(exponent_of<T>(first) - exponent_of<T>(list.least));  // of the sums' ulp
  if (finer > kFarthest || finer < -kFarthest) return false;
  if (list.size == 1) {
    *to += *list.counts;
    return true;
  }
  if (finer == 0) {
    const KeyOf<T> second = key_of_sum<T>(static_cast<KeyOf<T>>(first + 1), list.addend);
    if (second - list.least == 1) {
      add_run(list.counts, list.size, to);
      return true;
    }
    // All are ties. If the first went up, so that the second is no larger, that one goes down.
    const std::size_t up = second == list.least ? 1 : 0;
    if (up == 1) *to += *list.counts;
    add_ties(list.counts + up, list.size - up, to, odd + (list.least - low));
    return true;
  }
  if (finer == 1) {
    add_apart(list.counts, list.size, to);
    return true;
  }
  if (finer > 1) {
    for (std::size_t i = 0; i < list.size; ++i) to[i << finer] += list.counts[i];
    return true;
  }
  // The rounding error of the first sum [Knuth1998], in ulps of the numbers, and where among those with this sum it is.
  // Both are exact: where two sums or more have a larger exponent, the addend is at least such an ulp.
  const T number = number_of<T>(first);
  const T sum = number + list.addend;
  const T part = sum - number;
  const T error = (number - (sum - part)) + (list.addend - part);
  const T ulps = error / (number_of<T>(static_cast<KeyOf<T>>(first + 1)) - number);
  const auto group = std::size_t{1} << -finer;
  const T above = ulps + static_cast<T>(group / 2);
  const auto whole = static_cast<std::size_t>(above);
  if (static_cast<T>(whole) == above) {  // some are ties, which go to even sums from both sides
    const std::size_t even_sum = static_cast<std::size_t>(list.least ^ (list.least < 0 ? 1 : 0) ^ 1) & 1;
    add_groups(list.counts, list.size, group - whole + even_sum, group + 1 - 2 * even_sum, group - 1 + 2 * even_sum,
               to);
    return true;
  }
  // The addend is no multiple of the numbers' ulp, so it is smaller than they are and the exponent rises by 1 at most.
  add_pairs(list.counts, list.size, whole == 1, to);
  return true;
}

#endif

template <class T, class Count>
HWY_INLINE void count_all(std::span<const CountedNumbers<T, Count>> lists, KeyOf<T> low, Count* even, Count* odd) {
  for (const CountedNumbers<T, Count>& list : lists) {
#if HWY_TARGET != HWY_SCALAR
    if (list.keys == nullptr && count_evenly(list, low, even, odd)) {
      std::swap(even, odd);  // what was stored a moment ago, in other vectors, is slow to load
      continue;
    }
#endif
    count_each(list, low, even, odd);
  }
}

template <class Count>
HWY_INLINE std::size_t merge_all(Count* even, Count* odd, std::size_t size) {
  const CountTag<Count> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto zero = hn::Zero(tag);
  std::size_t zeros = 0;
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto sum = hn::Add(hn::LoadU(tag, even + i), hn::LoadU(tag, odd + i));
    hn::StoreU(sum, tag, even + i);
    hn::StoreU(zero, tag, odd + i);
    zeros += hn::CountTrue(tag, hn::Eq(sum, zero));
  }
  for (; i < size; ++i) {
    even[i] += odd[i];
    odd[i] = 0;
    zeros += static_cast<std::size_t>(even[i] == 0);
  }
  return size - zeros;
}

void count_float_32(std::span<const CountedNumbers<float, std::uint32_t>> lists, std::int32_t low, std::uint32_t* even,
                    std::uint32_t* odd) {
  count_all(lists, low, even, odd);
}
void count_float_64(std::span<const CountedNumbers<float, std::uint64_t>> lists, std::int32_t low, std::uint64_t* even,
                    std::uint64_t* odd) {
  count_all(lists, low, even, odd);
}
void count_double_32(std::span<const CountedNumbers<double, std::uint32_t>> lists, std::int64_t low,
                     std::uint32_t* even, std::uint32_t* odd) {
  count_all(lists, low, even, odd);
}
void count_double_64(std::span<const CountedNumbers<double, std::uint64_t>> lists, std::int64_t low,
                     std::uint64_t* even, std::uint64_t* odd) {
  count_all(lists, low, even, odd);
}
std::size_t merge_32(std::uint32_t* even, std::uint32_t* odd, std::size_t size) { return merge_all(even, odd, size); }
std::size_t merge_64(std::uint64_t* even, std::uint64_t* odd, std::size_t size) { return merge_all(even, odd, size); }

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(count_float_32);
HWY_EXPORT(count_float_64);
HWY_EXPORT(count_double_32);
HWY_EXPORT(count_double_64);
HWY_EXPORT(merge_32);
HWY_EXPORT(merge_64);

void count_sums(std::span<const CountedNumbers<float, std::uint32_t>> lists, std::int32_t low, std::uint32_t* even,
                std::uint32_t* odd) {
  HWY_DYNAMIC_DISPATCH(count_float_32)(lists, low, even, odd);
}
void count_sums(std::span<const CountedNumbers<float, std::uint64_t>> lists, std::int32_t low, std::uint64_t* even,
                std::uint64_t* odd) {
  HWY_DYNAMIC_DISPATCH(count_float_64)(lists, low, even, odd);
}
void count_sums(std::span<const CountedNumbers<double, std::uint32_t>> lists, std::int64_t low, std::uint32_t* even,
                std::uint32_t* odd) {
  HWY_DYNAMIC_DISPATCH(count_double_32)(lists, low, even, odd);
}
void count_sums(std::span<const CountedNumbers<double, std::uint64_t>> lists, std::int64_t low, std::uint64_t* even,
                std::uint64_t* odd) {
  HWY_DYNAMIC_DISPATCH(count_double_64)(lists, low, even, odd);
}
std::size_t merge_counters(std::uint32_t* even, std::uint32_t* odd, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(merge_32)(even, odd, size);
}
std::size_t merge_counters(std::uint64_t* even, std::uint64_t* odd, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(merge_64)(even, odd, size);
}

}  // namespace orderlab
#endif
