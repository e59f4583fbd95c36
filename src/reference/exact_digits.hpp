// The fixed-point grid of exact values.
#pragma once

#include <cstddef>

namespace orderlab {

/// Exponent of bit 0: the product of two smallest subnormals, 2^-1074 * 2^-1074.
inline constexpr int kLowestExponent = -2148;

/// Words of 64 bits, from bit 0 on, that every ExactSum fits in.
inline constexpr std::size_t kExactWords = 68;

}  // namespace orderlab
