// Exact counts of orders: machine words where they fit, else Boost.Multiprecision.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace orderlab {

__extension__ using Count128 = unsigned __int128;

/// An integer without limit: Boost.Multiprecision's cpp_int, whose headers and templates are in big_count.cpp alone.
class BigCount {
 public:
  BigCount(std::uint64_t value = 0);
  BigCount(std::integral auto value) : BigCount(static_cast<std::uint64_t>(value)) {}  ///< at least 0
  explicit BigCount(const std::string& digits);  ///< decimal, or 0x and hexadecimal

  BigCount(const BigCount& other);
  BigCount(BigCount&& other) noexcept;
  BigCount& operator=(const BigCount& other);
  BigCount& operator=(BigCount&& other) noexcept;
  ~BigCount();

  BigCount& operator+=(const BigCount& other);
  BigCount& operator-=(const BigCount& other);
  BigCount& operator*=(const BigCount& other);
  BigCount& operator/=(const BigCount& other);
  BigCount& operator<<=(unsigned bits);
  BigCount& operator>>=(unsigned bits);

  friend BigCount operator+(BigCount a, const BigCount& b) { return a += b; }
  friend BigCount operator-(BigCount a, const BigCount& b) { return a -= b; }
  friend BigCount operator*(const BigCount& a, const BigCount& b);
  friend BigCount operator/(BigCount a, const BigCount& b) { return a /= b; }
  friend BigCount operator<<(BigCount a, unsigned bits) { return a <<= bits; }
  friend BigCount operator>>(BigCount a, unsigned bits) { return a >>= bits; }
  friend void add_product(BigCount& sum, const BigCount& a, const BigCount& b);
  friend bool operator==(const BigCount& a, const BigCount& b);
  friend std::strong_ordering operator<=>(const BigCount& a, const BigCount& b);

  std::string str() const;         ///< decimal
  unsigned bits() const;           ///< up to the highest one; at least 1
  std::size_t heap_bytes() const;  ///< held beside the object

  struct Integer;

 private:
  friend double ratio(const BigCount& part, const BigCount& whole);

  Integer& integer();
  const Integer& integer() const;

  alignas(16) std::byte storage_[32];  ///< an Integer
};

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

/// part / whole, 0 <= part <= whole, rounded once to the nearest double, ties to even (twice below 2^-1022).
double ratio(const BigCount& part, const BigCount& whole);

}  // namespace orderlab
