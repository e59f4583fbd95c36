// Counters of neighbouring keys (core/ordered_number.hpp), and the sums of counted numbers with one more, by vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ordered_number.hpp"

namespace orderlab {

/// So many numbers more than a list has may be read, and so many counters more than there are written: vectors are
/// whole.
inline constexpr std::size_t kCounterSlack = 16;

/// Numbers of type T in ascending order, each with a count, to which `addend` is to be added.
template <class T, class Count>
struct CountedNumbers {
  const KeyOf<T>* keys;  ///< null: first, first + 1, ...; else the first of them is `first`
  const Count* counts;
  std::size_t size;
  KeyOf<T> first;
  KeyOf<T> last;
  T addend;
  KeyOf<T> least;  ///< of the sums
  KeyOf<T> most;
};

/// For each number of each list, adds its count to the counter of the key of number + addend, rounded once, in one of
/// two sets of counters of keys low, low + 1, ...: what counts is the sum of both.
///
/// Shape: the keys of all sums have counters; sizes are at least 1; no sum is infinite or NaN.
void count_sums(std::span<const CountedNumbers<float, std::uint32_t>> lists, std::int32_t low, std::uint32_t* even,
                std::uint32_t* odd);
void count_sums(std::span<const CountedNumbers<float, std::uint64_t>> lists, std::int32_t low, std::uint64_t* even,
                std::uint64_t* odd);
void count_sums(std::span<const CountedNumbers<double, std::uint32_t>> lists, std::int64_t low, std::uint32_t* even,
                std::uint32_t* odd);
void count_sums(std::span<const CountedNumbers<double, std::uint64_t>> lists, std::int64_t low, std::uint64_t* even,
                std::uint64_t* odd);

/// Adds odd[i] to even[i] and makes it 0; returns how many of even[0 .. size - 1] are not 0 then.
std::size_t merge_counters(std::uint32_t* even, std::uint32_t* odd, std::size_t size);
std::size_t merge_counters(std::uint64_t* even, std::uint64_t* odd, std::size_t size);

}  // namespace orderlab
