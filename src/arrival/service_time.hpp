// Service times of thread blocks: gamma distributed with mean 1.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "arrival/random_numbers.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

inline constexpr double kSqueeze = 0.0331;  // [MarsagliaTsang2000]

/// v = (1 + c x)^3, x the normal number of the words, if the tests of [MarsagliaTsang2000] accept it, else 0.
///
/// Accepted if v > 0, and u < 1 - kSqueeze x^4 or log u < x^2 / 2 + d (1 - v + log v), u the uniform number of word 3.
/// The first test implies the second, rounding aside, and spares its logarithms.
inline double gamma_attempt(const RandomStream::Block& words, double c, double d) {
  const double x = normal(words);
  const double u = open_uniform(words[3]);
  const double root = 1 + c * x;
  const double v = root * root * root;
  if (!(v > 0)) return 0;
  const double x2 = x * x;
  if (u < 1 - kSqueeze * (x2 * x2)) return v;
  return fixed::log(u) < 0.5 * x2 + d * ((1 - v) + fixed::log(v)) ? v : 0;
}

/// Draws gamma numbers with mean 1 and coefficient of variation cv: shape 1 / cv^2; cv = 0 means always 1.
///
/// The number of index i is a pure function of block i of the stream and its attempts: d v / shape of the first attempt
/// that gamma_attempt() accepts, d = shape - 1/3, c = 1 / sqrt(9 d). At least 95 % are accepted.
/// A shape below 1 (cv > 1) takes that of shape + 1 times U^(1 / shape), U from words 0 and 1 of the last attempt.
///
/// Shape:  cv = 0 or kLeastVariation <= cv <= kGreatestVariation.
/// Source: [MarsagliaTsang2000].
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

  /// Sets times[k] to the time of index first + k.
  void fill(const RandomStream& stream, std::uint64_t first, std::span<double> times) const;

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
    for (std::uint16_t attempt = 0;; ++attempt)
      if (const double v = gamma_attempt(stream.block(index, attempt), c_, d_); v > 0) return v;
  }

  bool constant_;
  bool boosted_ = false;
  double square_;
  double d_ = 0;
  double c_ = 0;
  double scale_ = 0;
};

}  // namespace orderlab
