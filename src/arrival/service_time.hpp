// Service times of thread blocks: gamma distributed with mean 1.
#pragma once

#include <cmath>
#include <cstdint>

#include "arrival/random_numbers.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// Draws gamma numbers with mean 1 and coefficient of variation cv: shape 1 / cv^2; cv = 0 means always 1.
///
/// The number of index i is a pure function of block i of the stream and its attempts. Attempt a: words 0 to 2 give a
/// normal x, word 3 a uniform u, v = (1 + c x)^3; accepted if u < 1 - 0.0331 x^4 or
/// log u < x^2 / 2 + d (1 - v + log v), and v > 0; else attempt a + 1. At least 95 % are accepted.
/// A shape below 1 (cv > 1) takes that of shape + 1 times U^(1 / shape), U from words 0 and 1 of the last attempt.
///
/// Shape:  cv = 0 or kLeastVariation <= cv <= kGreatestVariation.
/// Source: [MarsagliaTsang2000], whose 0.0331 makes the first test imply the second and spares its logarithms.
class ServiceTime {
 public:
  /// Below it, d (1 - v + log v), a difference of terms near d = 1 / cv^2, is known to fewer than 7 digits.
  static constexpr double kLeastVariation = 1e-4;
  /// Above it, over 99.9 % of the numbers are too small for a double.
  static constexpr double kGreatestVariation = 1e3;

  explicit ServiceTime(double cv) : constant_(!(cv > 0)), square_(cv * cv) {
    if (constant_) return;
    const double shape = 1 / square_;
    boosted_ = shape < 1;
    d_ = (boosted_ ? shape + 1 : shape) - 1.0 / 3;
    c_ = 1 / std::sqrt(9 * d_);
    scale_ = d_ * square_;
  }

  double operator()(const RandomStream& stream, std::uint64_t index) const {
    if (constant_) return 1;
    const double time = scale_ * accepted(stream, index);
    if (!boosted_) return time;
    const RandomStream::Block words = stream.block(index, kBoostAttempt);
    return time * fixed::exp(square_ * fixed::log(open_uniform(words[0], words[1])));
  }

 private:
  static constexpr std::uint16_t kBoostAttempt = 0xFFFF;  // not reached by rejections: 0.05^65535

  double accepted(const RandomStream& stream, std::uint64_t index) const {
    for (std::uint16_t attempt = 0;; ++attempt) {
      const RandomStream::Block words = stream.block(index, attempt);
      const double x = normal(words);
      const double u = open_uniform(words[3]);
      const double root = 1 + c_ * x;
      const double v = root * root * root;
      if (!(v > 0)) continue;
      const double x2 = x * x;
      if (u < 1 - 0.0331 * (x2 * x2)) return v;
      if (fixed::log(u) < 0.5 * x2 + d_ * ((1 - v) + fixed::log(v))) return v;
    }
  }

  bool constant_;
  bool boosted_ = false;
  double square_;
  double d_ = 0;
  double c_ = 0;
  double scale_ = 0;
};

}  // namespace orderlab
