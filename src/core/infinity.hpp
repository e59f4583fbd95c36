// Infinity, as it is compared with and returned everywhere.
#pragma once

#include <limits>

namespace orderlab {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace orderlab
