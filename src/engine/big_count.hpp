// Exact counts of orders: machine words where they fit, Boost.Multiprecision beyond.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace orderlab {

__extension__ using Count128 = unsigned __int128;
using BigCount = boost::multiprecision::cpp_int;

template <class Count>
BigCount big(const Count& count) {
  return BigCount(count);
}
inline BigCount big(Count128 count) {
  return (BigCount(static_cast<std::uint64_t>(count >> 64)) << 64) + static_cast<std::uint64_t>(count);
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
inline std::size_t heap_bytes(const BigCount& count) {
  const auto& limbs = count.backend();
  using Limbs = std::decay_t<decltype(limbs)>;
  return limbs.size() > Limbs::internal_limb_count ? limbs.size() * sizeof(*limbs.limbs()) : 0;
}

/// m!
BigCount factorial(std::uint64_t m);

/// (2m - 3)!!, the number of binary trees with m leaves; 1 for m = 1.
BigCount tree_count(std::uint64_t m);

/// part / whole, 0 <= part <= whole, rounded once to the nearest double, ties to even (twice below 2^-1022).
double ratio(const BigCount& part, const BigCount& whole);

}  // namespace orderlab
