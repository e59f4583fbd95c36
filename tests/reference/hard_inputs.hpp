// Terms biased to trouble, and how many of them to try. Every draw is a function of the seed.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::testing {

/// The environment's ORDERLAB_TEST_SCALE, 1 where it is not set.
inline double test_scale() {
  const char* scale = std::getenv("ORDERLAB_TEST_SCALE");
  return scale == nullptr ? 1 : std::strtod(scale, nullptr);
}

/// `count` times that, at least 1.
inline std::uint64_t trials(std::uint64_t count) {
  const double scaled = static_cast<double>(count) * test_scale();
  return scaled < 1 ? 1 : static_cast<std::uint64_t>(scaled);
}

/// Whether combination `i` of loops in loops is tried: all are at a scale of 1 or more, else that part of them, drawn
/// at random so that it is in step with the rounds of no loop. With this seed a fifth of those of tests/run has every
/// stage and every pipeline with every number of terms.
inline bool tried(std::uint64_t i) {
  static const double scale = test_scale();
  IndexGenerator draw(RandomStream(4, 0, i), 0);
  return static_cast<double>(draw() >> 11) * 0x1p-53 < scale;
}

inline std::uint64_t below(IndexGenerator& draw, std::uint64_t limit) { return draw() % limit; }

inline bool chance(IndexGenerator& draw, std::uint64_t one_in) { return below(draw, one_in) == 0; }

inline double with_random_sign(IndexGenerator& draw, double x) { return chance(draw, 2) ? x : -x; }

/// Any finite number of `format`: every bit pattern is equally likely, so every exponent is.
inline double any_finite(IndexGenerator& draw, Format format) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - info(format).bits);
  for (;;) {
    const double x = value_of_bits(format, draw() & mask);
    if (std::isfinite(x)) return x;
  }
}

inline double any_subnormal(IndexGenerator& draw) {
  return with_random_sign(draw, std::bit_cast<double>(draw() >> (12 + below(draw, 50))));
}

/// A number near 1, for sums in which all digits meet.
inline double near_one(IndexGenerator& draw) {
  const double fraction = static_cast<double>(draw() >> 11) * 0x1p-53;
  return with_random_sign(draw, std::ldexp(1 + fraction, static_cast<int>(below(draw, 40)) - 20));
}

inline void shuffle(IndexGenerator& draw, std::vector<double>& x) {
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[below(draw, i)]);
}

/// Terms whose sum is the midpoint of two neighbours in `format`, or differs from it by a tiny term only.
inline std::vector<double> tie(IndexGenerator& draw, Format format) {
  const FormatInfo& f = info(format);
  double v = any_finite(draw, format);
  if (chance(draw, 4)) v = std::copysign(value_of_bits(format, draw() & 3), v);  // about the smallest subnormal
  if (chance(draw, 8)) v = std::copysign(std::ldexp(2 - 2 * f.unit_roundoff(), f.e_max), v);  // the largest number
  const int e = v == 0 || std::ilogb(v) < f.e_min ? f.e_min : std::ilogb(v);
  std::vector<double> x{v, std::copysign(std::ldexp(1.0, e - f.precision), v)};  // 0 below fp64's subnormals
  if (chance(draw, 3)) x.push_back(with_random_sign(draw, 0x1p-1074));
  if (chance(draw, 3)) x.push_back(with_random_sign(draw, std::ldexp(1.0, e - f.precision - 60)));
  if (chance(draw, 2)) {
    const double big = any_finite(draw, Format::fp64);
    x.push_back(big);
    x.push_back(-big);
  }
  shuffle(draw, x);
  return x;
}

/// Terms x[i] with all but a few of them cancelled.
inline std::vector<double> cancelling(IndexGenerator& draw, std::size_t pairs) {
  std::vector<double> x;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double big = any_finite(draw, Format::fp64);
    x.push_back(big);
    x.push_back(chance(draw, 4) ? -std::nextafter(big, 0) : -big);
  }
  if (chance(draw, 2)) x.push_back(any_finite(draw, Format::fp64));
  if (chance(draw, 4)) x.push_back(any_subnormal(draw));
  shuffle(draw, x);
  return x;
}

/// Terms of a kind drawn at random: ties in any format, cancellation, wide, narrow, subnormal, zeros; few or many.
inline std::vector<double> hard_terms(IndexGenerator& draw) {
  const auto n = static_cast<std::size_t>(chance(draw, 100) ? 20 + below(draw, 200) : below(draw, 12));
  const std::uint64_t kind = below(draw, 8);
  if (kind <= 2) return tie(draw, kFormats[below(draw, kFormats.size())].format);
  if (kind == 3) return cancelling(draw, n / 2 + 1);
  std::vector<double> x(n);
  for (double& term : x) {
    if (kind == 4) term = any_finite(draw, Format::fp64);
    if (kind == 5) term = near_one(draw);
    if (kind == 6) term = any_subnormal(draw);
    if (kind == 7) term = chance(draw, 4) ? any_finite(draw, Format::fp32) : with_random_sign(draw, 0.0);
  }
  return x;
}

}  // namespace orderlab::testing
