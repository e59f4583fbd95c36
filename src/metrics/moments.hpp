// Mean and sum of squares of a short list of numbers.
#pragma once

#include <cstddef>
#include <span>

namespace orderlab {

/// Of at least one number. Deviations from the first one are added, so equal numbers have a sum of squares of exactly 0
/// and themselves as their mean.
struct Moments {
  std::size_t n = 0;
  double mean = 0;
  double squares = 0;  ///< sum (y - mean)^2

  explicit Moments(std::span<const double> y) : n(y.size()) {
    const double first = y.front();
    double shift = 0;
    for (const double x : y) shift += x - first;
    shift /= static_cast<double>(n);
    for (const double x : y) squares += (x - first - shift) * (x - first - shift);
    mean = first + shift;
  }

  /// With n - 1; n >= 2.
  double variance() const { return squares / static_cast<double>(n - 1); }
};

}  // namespace orderlab
