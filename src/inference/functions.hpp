// Functions of a forward pass, by fixed polynomials and series in fp64: their bits do not depend on the C library.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace orderlab {

/// e^x. +0 below -708, infinity above 709.
///
/// Error: at most 2 ulp: the series of e^r ends at r^13 / 13!, with |r| <= ln(2) / 2 left out terms below 5e-18.
inline double portable_exp(double x) {
  constexpr double kLeast = -708;
  constexpr double kGreatest = 709;
  constexpr double kLog2E = 0x1.71547652b82fep0;
  constexpr double kLn2High =
      0x1.62e42fefa3800p-1;  // 42 bits, so that products with whole numbers below 2^11 are exact
  constexpr double kLn2Low = 0x1.ef35793c76730p-45;
  constexpr double kToWhole = 0x1.8p52;
  if (!(x >= kLeast)) return x == x ? 0 : x;
  if (x > kGreatest) return HUGE_VAL;
  const double whole = (x * kLog2E + kToWhole) - kToWhole;
  const double r = (x - whole * kLn2High) - whole * kLn2Low;
  constexpr double kInverse[] = {
      1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1.0};
  double sum = 0;
  for (const double coefficient : kInverse) sum = sum * r + coefficient;
  const double near = 1 + r * sum;
  return near * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + static_cast<std::int64_t>(whole)) << 52);
}

/// ln(x) for a normal x > 0.
///
/// Error: at most 2 ulp of max(|ln(x)|, 1): 2 atanh(s) with |s| <= 0.172, whose series ends at s^21 / 21.
inline double portable_log(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr double kSqrt2 = 0x1.6a09e667f3bcdp0;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFU) | 0x3FF0000000000000U);
  if (m > kSqrt2) {
    m /= 2;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1);
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * (s * s) + 1.0 / k;
  return static_cast<double>(exponent) * kLn2 + 2 * s * sum;
}

/// The error function: 2 / sqrt(pi) e^(-x^2) times the sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1)), all of one sign.
///
/// Error: about n ulp for n terms, 3 (x^2 + 10) of them at most.
inline double portable_erf(double x) {
  constexpr double kTwoOverSqrtPi = 0x1.20dd750429b6dp0;
  constexpr double kOne = 6;  // erf is 1 in fp64 from here on
  if (!(std::fabs(x) < kOne)) return x == x ? std::copysign(1.0, x) : x;
  double term = x;
  double sum = x;
  for (double n = 1; std::fabs(term) > 0x1p-56 * std::fabs(sum); ++n) {
    term *= 2 * x * x / (2 * n + 1);
    sum += term;
  }
  return kTwoOverSqrtPi * portable_exp(-x * x) * sum;
}

inline double portable_tanh(double x) {
  constexpr double kOne = 20;  // tanh is 1 in fp64 from here on
  if (!(std::fabs(x) < kOne)) return x == x ? std::copysign(1.0, x) : x;
  const double e = portable_exp(-2 * std::fabs(x));
  return std::copysign((1 - e) / (1 + e), x);
}

struct SineCosine {
  double sine;
  double cosine;
};

/// Of an angle of magnitude up to 2^20, in radians.
///
/// Error: at most 2^-51, absolute: pi / 2 is subtracted in three parts, whose first two have so few bits that products
///        with whole numbers below 2^20 are exact; the series of |r| <= pi / 4 end at r^19 and r^20.
inline SineCosine portable_sine_cosine(double angle) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double kHalfPi[] = {0x1.921fb544p0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  constexpr double kToWhole = 0x1.8p52;
  const double whole = (angle * kTwoOverPi + kToWhole) - kToWhole;
  const double r = ((angle - whole * kHalfPi[0]) - whole * kHalfPi[1]) - whole * kHalfPi[2];
  double sine = 0;
  double cosine = 0;
  for (int k = 19; k >= 1; k -= 2) {
    sine = (sine + 1) * -(r * r) / ((k + 1.0) * (k + 2.0));
    cosine = (cosine + 1) * -(r * r) / (k * (k + 1.0));
  }
  sine = r * (1 + sine);
  cosine = 1 + cosine;
  switch (static_cast<std::int64_t>(whole) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace orderlab
