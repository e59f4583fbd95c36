// Doubles that tests name, and the bits that they compare.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "core/infinity.hpp"

namespace orderlab {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLargest = std::numeric_limits<double>::max();
inline constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace orderlab
