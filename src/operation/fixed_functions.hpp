// exp and log of arrival/fixed_math.hpp for numbers that may be infinities, NaN or 0.
#pragma once

#include <cmath>
#include <limits>

#include "arrival/fixed_math.hpp"

namespace orderlab {

/// e^x for x <= 0: fixed::exp, and NaN of NaN.
inline double fixed_exp(double x) { return std::isnan(x) ? x : fixed::exp(x); }

/// ln x for x that is 0 or a normal number: fixed::log, and as std::log for 0, infinities, NaN and x < 0.
inline double fixed_log(double x) {
  if (std::isnan(x) || x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  return std::isinf(x) ? x : fixed::log(x);
}

}  // namespace orderlab
