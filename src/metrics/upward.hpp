// Rounding the fp64 formulas of bounds upward by inflating them.
#pragma once

#include <cmath>

#include "core/infinity.hpp"
#include "orderlab/exact.hpp"

namespace orderlab {

/// Covers the few dozen fp64 operations of a formula, each with a relative error of at most 2^-53, and library
/// functions of a few ulps.
inline constexpr double kUpward = 1 + 0x1p-46;

/// A bound that came out as NaN (infinity times 0, infinity less infinity) bounds nothing.
inline double or_infinite(double bound) { return std::isnan(bound) ? kInfinity : bound; }

/// A double that is at least |value|; infinity if it is not finite.
inline double upper_magnitude(const ExactValue& value) {
  if (!value.finite()) return kInfinity;
  return value.zero() ? 0 : std::nextafter(std::fabs(value.to_double()), kInfinity);
}

}  // namespace orderlab
