// Functions of a forward pass beside those of arrival/fixed_math.hpp, in the same way: series in fp64, whose bits do
// not depend on the C library.
#pragma once

#include <cmath>
#include <cstdint>

#include "arrival/fixed_math.hpp"

namespace orderlab::fixed {

/// The error function: 2 / sqrt(pi) e^(-x^2) times the sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1)), all of one sign.
///
/// Error: about n ulp for n terms, 3 (x^2 + 10) of them at most.
inline double erf(double x) {
  constexpr double kTwoOverSqrtPi = 0x1.20dd750429b6dp0;
  constexpr double kOne = 6;  // erf is 1 in fp64 from here on
  if (!(std::fabs(x) < kOne)) return x == x ? std::copysign(1.0, x) : x;
  double term = x;
  double sum = x;
  for (double n = 1; std::fabs(term) > 0x1p-56 * std::fabs(sum); ++n) {
    term *= 2 * x * x / (2 * n + 1);
    sum += term;
  }
  return kTwoOverSqrtPi * exp(-x * x) * sum;
}

inline double tanh(double x) {
  constexpr double kOne = 20;  // tanh is 1 in fp64 from here on
  if (!(std::fabs(x) < kOne)) return x == x ? std::copysign(1.0, x) : x;
  const double e = exp(-2 * std::fabs(x));
  return std::copysign((1 - e) / (1 + e), x);
}

/// x / (1 + e^-x).
inline double silu(double x) {
  if (x != x) return x;
  const double e = exp(-std::fabs(x));
  return x < 0 ? x * e / (1 + e) : x / (1 + e);
}

struct SineCosine {
  double sine;
  double cosine;
};

/// Of an angle of magnitude up to 2^20, in radians.
///
/// Error: at most 2^-51, absolute: pi / 2 is subtracted in three parts, whose first two have so few bits that products
///        with whole numbers below 2^20 are exact; the series of |r| <= pi / 4 end at r^19 and r^20.
inline SineCosine sine_cosine(double angle) {
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

}  // namespace orderlab::fixed
