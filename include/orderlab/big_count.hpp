// Integers without limit: numbers of orders.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace orderlab {

/// A whole number of at least 0, of any size.
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
  friend void add_product(BigCount& sum, const BigCount& a, const BigCount& b);  ///< sum += a b
  friend bool operator==(const BigCount& a, const BigCount& b);
  friend std::strong_ordering operator<=>(const BigCount& a, const BigCount& b);

  std::string str() const;         ///< decimal
  std::uint64_t low_word() const;  ///< modulo 2^64
  unsigned bits() const;           ///< up to the highest one; at least 1
  std::size_t heap_bytes() const;  ///< held beside the object

  struct Integer;

 private:
  friend double ratio(const BigCount& part, const BigCount& whole);

  Integer& integer();
  const Integer& integer() const;

  alignas(16) std::byte storage_[32];  ///< an Integer: Boost.Multiprecision's cpp_int, whose headers are long
};

/// part / whole, 0 <= part <= whole, rounded once to the nearest double, ties to even (twice below 2^-1022).
double ratio(const BigCount& part, const BigCount& whole);

}  // namespace orderlab
