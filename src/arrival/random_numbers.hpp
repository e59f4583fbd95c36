// Uniform and normal numbers from one block of a random stream: pure functions of its four words.
#pragma once

#include <cmath>
#include <cstdint>

#include "arrival/fixed_math.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// Uniform in (0, 1) from two words (the first one is the low half): an odd multiple of 2^-53, so never 0 and never 1.
constexpr double open_uniform(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t word = low | (static_cast<std::uint64_t>(high) << 32);
  return static_cast<double>((word >> 11) | 1) * 0x1p-53;
}

/// Uniform in (0, 1) from one word: an odd multiple of 2^-33.
constexpr double open_uniform(std::uint32_t word) {
  return static_cast<double>(2 * static_cast<std::uint64_t>(word) + 1) * 0x1p-33;
}

/// Standard normal number from words 0 and 1 (the radius) and 2 (the angle) of a block; |x| < 8.6.
///
/// Source: [BoxMuller1958].
inline double normal(const RandomStream::Block& words) {
  const double radius = std::sqrt(-2 * fixed::log(open_uniform(words[0], words[1])));
  return radius * fixed::cos_turns(open_uniform(words[2]));
}

}  // namespace orderlab
