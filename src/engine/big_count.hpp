// Exact counts of orders: machine words where they fit, else BigCount.
#pragma once

#include "orderlab/distribution.hpp"

namespace orderlab {

__extension__ using Count128 = unsigned __int128;

template <class Count>
BigCount big(const Count& count) {
  return BigCount(count);
}
inline BigCount big(Count128 count) {
  return (BigCount(static_cast<std::uint64_t>(count >> 64)) << 64) + static_cast<std::uint64_t>(count);
}

/// sum += a * b, no copy made on the way.
template <class Count>
void add_product(Count& sum, const Count& a, const Count& b) {
  sum += a * b;
}

/// The number of bits of the largest count that a type holds.
template <class Count>
inline constexpr unsigned kCountBits = ~0u;
template <>
inline constexpr unsigned kCountBits<std::uint32_t> = 32;
template <>
inline constexpr unsigned kCountBits<std::uint64_t> = 64;
template <>
inline constexpr unsigned kCountBits<Count128> = 128;

/// Bytes that a count holds beside itself.
template <class Count>
std::size_t heap_bytes(const Count&) {
  return 0;
}
inline std::size_t heap_bytes(const BigCount& count) { return count.heap_bytes(); }

/// m!
BigCount factorial(std::uint64_t m);

/// (2m - 3)!!, the number of binary trees with m leaves; 1 for m = 1.
BigCount tree_count(std::uint64_t m);

}  // namespace orderlab
