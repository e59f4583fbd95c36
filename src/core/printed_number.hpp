// Numbers as they are printed.
#pragma once

#include <cmath>
#include <limits>

namespace orderlab {

/// `value`, a NaN without its sign: that means nothing, differs between processors, and would be printed as "-nan".
inline double printed(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

}  // namespace orderlab
