// Mean and sum of squares of a list of numbers.
#pragma once

#include <cstddef>
#include <span>

namespace orderlab {

/// Deviations from the first number are added, so equal numbers have a sum of squares of exactly 0 and themselves as
/// their mean. Shape: at least one number; as many weights, which say how often each counts, or none: each counts once.
struct Moments {
  double n = 0;  ///< the sum of the weights
  double mean = 0;
  double squares = 0;  ///< sum (y - mean)^2

  explicit Moments(std::span<const double> y, std::span<const double> weights = {}) {
    const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
    const double first = y.front();
    double shift = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      n += weight(i);
      shift += weight(i) * (y[i] - first);
    }
    shift /= n;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double deviation = y[i] - first - shift;
      squares += weight(i) * deviation * deviation;
    }
    mean = first + shift;
  }

  /// With n - 1; n >= 2.
  double variance() const { return squares / (n - 1); }
};

}  // namespace orderlab
