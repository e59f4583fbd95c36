// Values with weights: the results of samples or of all orders, their errors, and histograms of them. Weights of all
// orders are numbers without limit.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"

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

/// A value with the number of samples that gave it, or with its probability.
struct Weighted {
  double value = 0;
  double weight = 0;
};

/// Values in ascending order, -0 before +0, NaN last, each once. With a width they are the lower edges of bins
/// [value, value + width) that do not overlap.
struct Distribution {
  std::vector<Weighted> values;
  double width = 0;                   ///< width of bins; 0: single values
  std::vector<BigCount> orders = {};  ///< where weights are probabilities, the numbers of orders that they are made of

  bool empty() const { return values.empty(); }
  std::size_t size() const { return values.size(); }

  /// Sum of the weights, rounded once.
  double total() const;
};

/// The bit pattern of a result: values of a distribution of results are numbers of their format.
inline std::uint64_t bits_of(Format format, double result) { return round_to_bits(format, result); }

/// Errors result - S of the finite results, each rounded once; empty where S is not finite. -0 and +0 stay two values.
Distribution errors_of(const Distribution& results, const ExactValue& exact);

/// The same values with weights, the second of two neighbours that compare equal added to the first: -0 and +0 are one.
Distribution equal_joined(const Distribution& values);

}  // namespace orderlab
