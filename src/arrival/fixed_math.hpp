// Logarithm, exponential and cosine that the arrival models draw with: the same bits on every machine, because they use
// only + - * / of doubles in a fixed order and moves of bits. No branch depends on the data: vector code
// (random_number_vectors.cpp) follows step by step.
//
// The bits are part of bits_version: any change here raises it. Each series is cut where the first term left out is
// below 2^-54 of the result; what remains is rounding, below kErrorUlp.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/arithmetic_guard.hpp"

namespace orderlab::fixed {

/// Largest error of log, exp and cos_turns, in ulps of the exact value.
///
/// Roundings of relative size u = 2^-53 (an ulp is at least u and at most 2 u of a value). log: z two, its series at
/// most one more for 2 z and a fraction for the rest, the last sum one, which the sums with e ln 2 at least halve.
/// cos_turns: the angle two (2 pi, product), of which the slope of the sine passes on at most all, the series one and a
/// half, the last sum one. exp: the angle two of at most ln(2)/2 each, the series one and a half, the last sum one.
inline constexpr double kErrorUlp = 5;

namespace constants {
inline constexpr std::uint64_t kRootHalfBits = std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp-1);  // bits of sqrt(1/2)
inline constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << 52) - 1;
inline constexpr std::int32_t kExponentBias = 1023;
inline constexpr double kLowestExponential = -708;  // below it the result is 0

// ln 2 = kLn2High + kLn2Low to 2^-86: the first has 32 significant bits, so its product with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42feep-1;
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
inline constexpr double kTwoPi = 0x1.921fb54442d18p+2;

/// 2 / (2 k + 1): log((1 + z) / (1 - z)) = sum of these times z^(2 k + 1).
inline constexpr auto kAtanh = [] {
  std::array<double, 10> c{};
  for (std::size_t k = 0; k < c.size(); ++k) c[k] = 2.0 / static_cast<double>(2 * k + 1);
  return c;
}();

/// (-1)^k / (2 k + 1)!, of the sine; 21! has 48 significant bits, so every factorial here is exact.
inline constexpr auto kSine = [] {
  std::array<double, 11> c{};
  double factorial = 1;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (k > 0) factorial *= static_cast<double>(2 * k * (2 * k + 1));
    c[k] = (k % 2 == 0 ? 1.0 : -1.0) / factorial;
  }
  return c;
}();

/// 1 / k!, of the exponential.
inline constexpr auto kExponential = [] {
  std::array<double, 14> c{};
  double factorial = 1;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (k > 0) factorial *= static_cast<double>(k);
    c[k] = 1.0 / factorial;
  }
  return c;
}();
}  // namespace constants

/// c[First] + c[First + 1] x + ..., by Horner's rule.
template <std::size_t First, std::size_t Size>
constexpr double horner(const std::array<double, Size>& c, double x) {
  double p = c[Size - 1];
  for (std::size_t k = Size - 1; k > First; --k) p = p * x + c[k - 1];
  return p;
}

/// Natural logarithm of a positive normal number.
///
/// x = 2^e f with f in [sqrt(1/2), sqrt(2)); log f = 2 atanh(z), z = (f - 1) / (f + 1), |z| <= 3 - 2 sqrt(2) = 0.1716.
/// Left out: z^20 / 21 of the result, times 1 / (1 - z^2): below 2.5e-17 < 2^-54.
constexpr double log(double x) {
  using namespace constants;
  const std::uint64_t above = std::bit_cast<std::uint64_t>(x) - kRootHalfBits + (std::uint64_t{kExponentBias} << 52);
  const double e = static_cast<double>(static_cast<std::int32_t>(above >> 52) - kExponentBias);
  const double f = std::bit_cast<double>((above & kFractionMask) + kRootHalfBits);
  const double z = (f - 1) / (f + 1);
  const double z2 = z * z;
  const double log_f = 2 * z + z * (z2 * horner<1>(kAtanh, z2));
  return e * kLn2High + (e * kLn2Low + log_f);
}

/// cos(2 pi t) for t in [0, 1], a multiple of 2^-53.
///
/// cos(2 pi t) = sin(2 pi s) with s = |t - 1/2| - 1/4 in [-1/4, 1/4], exact, so the angle is at most pi/2.
/// Left out: (pi/2)^23 / 23! = 1.3e-18 of the result.
constexpr double cos_turns(double t) {
  const double s = (t < 0.5 ? 0.5 - t : t - 0.5) - 0.25;
  const double angle = constants::kTwoPi * s;
  const double square = angle * angle;
  return angle + angle * (square * horner<1>(constants::kSine, square));
}

/// e^x for x <= 0; below -708, where the result nears the subnormal numbers, 0.
///
/// x = r - k ln 2 with |r| <= ln(2)/2 (1 + 2^-40) = 0.3466. Left out: r^14 / 14! times 1 / (1 - r): below 1e-17.
constexpr double exp(double x) {
  using namespace constants;
  const double bounded = x < kLowestExponential ? kLowestExponential : x;
  const std::int32_t k = static_cast<std::int32_t>(0.5 - bounded / (kLn2High + kLn2Low));
  const double whole = static_cast<double>(k);
  const double r = (bounded + whole * kLn2High) + whole * kLn2Low;
  const double y = 1 + r * horner<1>(kExponential, r);
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(kExponentBias - k) << 52);
  return x < kLowestExponential ? 0.0 : y * scale;
}

}  // namespace orderlab::fixed
