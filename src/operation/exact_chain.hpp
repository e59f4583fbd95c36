// Exact sums of numbers that few doubles hold, and where exact results go.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "operation/exact_rows.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "run/product.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

/// high + low, exactly; high is the double nearest to it.
struct ExactPair {
  double high;
  double low;
};

/// a + b + c with no two of them overlapping, to the double nearest to it and the one nearest to the rest. False where
/// a few additions do not separate them.
inline bool to_exact_pair(double a, double b, double c, ExactPair& pair) {
  detail::TwoSum upper = detail::two_sum(a, b);
  detail::TwoSum lower = detail::two_sum(upper.rest, c);
  upper = detail::two_sum(upper.sum, lower.sum);
  lower = detail::two_sum(upper.rest, lower.rest);
  if (!(upper.sum + lower.sum == upper.sum)) return false;  // NaN, too
  pair = {upper.sum, lower.sum};
  if (lower.rest != 0) {
    // lower.sum can be half an ulp of the upper sum: then the rest decides which double is nearest.
    pair.high = upper.sum + detail::to_odd(lower.sum, lower.rest);
    pair.low = ((upper.sum - pair.high) + lower.sum) + lower.rest;  // the first two exactly: 0 or a whole ulp
  }
  return std::isfinite(pair.high);
}

/// Adds numbers as long as three doubles hold their sum exactly.
class ExactChain {
 public:
  explicit ExactChain(double first) : sum_(first) {}

  void add(double x) {
    const detail::TwoSum first = detail::two_sum(sum_, x);
    const detail::TwoSum second = detail::two_sum(error_, first.rest);
    const detail::TwoSum third = detail::two_sum(third_, second.rest);
    sum_ = first.sum;
    error_ = second.sum;
    third_ = third.sum;
    inexact_ |= third.rest != 0;  // NaN, too
  }

  /// Whether the sum is exact so far.
  bool exact() const { return !inexact_; }

  /// The sum; false where it is not exact, or not finite.
  bool sum(ExactPair& pair) const {
    if (inexact_) return false;
    if (sum_ == 0 && error_ == 0 && third_ == 0) {  // keeps the sign of a zero
      pair = {sum_, 0};
      return true;
    }
    return to_exact_pair(sum_, error_, third_, pair);
  }

 private:
  double sum_;
  double error_ = 0;
  double third_ = 0;
  bool inexact_ = false;
};

/// Where the results of one row go.
template <class R>
class RowResults {
 public:
  explicit RowResults(ExactRows& out) : out_(out), rounded_(numbers<R>(out.rounded)) {}

  [[gnu::always_inline]] void put(std::size_t row, ExactPair value, double magnitude) {
    out_.high[row] = value.high;
    out_.low[row] = value.low + 0.0;  // never -0
    out_.magnitude[row] = magnitude;
    out_.ulp[row] = ulp_of(value, magnitude);
    rounded_[row] = round_to<R>(value.low == 0 ? value.high : nearest(value));
  }

  void put(std::size_t row, ExactPair value, double magnitude, std::uint64_t bits, double ulp) {
    out_.high[row] = value.high;
    out_.low[row] = value.low + 0.0;  // never -0
    out_.magnitude[row] = magnitude;
    out_.ulp[row] = ulp;
    rounded_[row] = round_to<R>(value_of_bits(kFormatOf<R>, bits));
  }

  void put(std::size_t row, const ExactValue& value, double magnitude) {
    const double high = value.to_double();
    const double low = std::isfinite(high) ? 0.0 - value.difference(high) : 0.0;
    put(row, {high, low}, magnitude, value.round_to(kFormatOf<R>),
        !value.finite() ? std::numeric_limits<double>::quiet_NaN()
        : value.zero()  ? ulp_of_zero(magnitude)
                        : std::ldexp(1.0, value.ulp_exponent(kFormatOf<R>)));
  }

  static double ulp_of_zero(double magnitude) {
    const double unit = kInfo.unit_roundoff() * magnitude;
    return unit > 0 ? unit : kInfo.smallest_subnormal();
  }

 private:
  static constexpr FormatInfo kInfo = info(kFormatOf<R>);

  // What rounds to R as high + low does.
  static double nearest(ExactPair value) {
    if constexpr (std::is_same_v<R, double>) return value.high;
    return detail::to_odd(value.high, value.low);
  }

  static double ulp_of(ExactPair value, double magnitude) {
    if (value.high == 0) return ulp_of_zero(magnitude);
    const auto bits = std::bit_cast<std::uint64_t>(value.high);
    int exponent = static_cast<int>(bits >> 52 & 2047) - 1023;
    const bool is_power = bits << 12 == 0;  // a power of 2: the result is below it where `low` says so
    if (is_power && value.low != 0 && (value.low < 0) != (value.high < 0)) --exponent;
    return power_of_two(ulp_exponent(kFormatOf<R>, exponent));
  }

  ExactRows& out_;
  R* rounded_;
};

}  // namespace orderlab
