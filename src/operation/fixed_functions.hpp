// exp and log by + - * / alone, so that their bits do not depend on the C library. Not correctly rounded.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/arithmetic_guard.hpp"

namespace orderlab {

namespace detail {
// ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42feep-1;
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
}  // namespace detail

/// e^x to 2^-50 of it where that is a normal double, else to the smallest subnormal.
///
/// Method: x = k ln 2 + r, |r| <= ln 2 / 2; the series of e^r to r^13 / 13!, of which the rest is below 2^-57.
inline double fixed_exp(double x) {
  constexpr double kMost = 709.78;  // e^x is a double up to here
  constexpr double kLeast = -745.2;
  if (std::isnan(x)) return x;
  if (x > kMost) return std::numeric_limits<double>::infinity();
  if (x < kLeast) return 0;
  constexpr double kLog2E = 0x1.71547652b82fep0;
  const double k = std::floor(x * kLog2E + 0.5);
  const double r = (x - k * detail::kLn2High) - k * detail::kLn2Low;
  double sum = 1;
  for (int i = 13; i > 0; --i) sum = 1 + sum * r / i;
  const auto exponent = static_cast<int>(k);
  const int half = exponent / 2;  // 2^k in two factors, of which each is a normal double
  const auto power = [](int e) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + e) << 52U); };
  return sum * power(half) * power(exponent - half);
}

/// ln x to 2^-50 of it, or of 1 near x = 1, for a normal double x above 0; as std::log for 0, infinities and NaN.
///
/// Method: x = m 2^e, m in [sqrt(1/2), sqrt(2)); with s = (m - 1) / (m + 1) the series 2 (s + s^3 / 3 + ...) to s^23,
///         of which the rest is below 2^-60.
inline double fixed_log(double x) {
  if (std::isnan(x) || x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double series = 0;
  for (int i = 23; i > 0; i -= 2) series = series * square + 1.0 / i;
  const double e = exponent;
  return e * detail::kLn2High + (2 * s * series + e * detail::kLn2Low);
}

}  // namespace orderlab
