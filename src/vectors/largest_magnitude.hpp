// The greatest of many numbers, by vectors.
#pragma once

#include <span>

namespace orderlab {

/// Greatest |x|: 0 of none, infinite if one is infinite or NaN. Compares bits, so no mode of the machine matters.
double largest_magnitude(std::span<const double> numbers);

}  // namespace orderlab
