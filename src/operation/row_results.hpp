// Where exact results of rows go.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "operation/exact_chain.hpp"
#include "operation/exact_rows.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

/// Stores the exact results of rows, as results of R.
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
