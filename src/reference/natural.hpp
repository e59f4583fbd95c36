// Natural numbers in 64-bit words, the lowest first: the little arithmetic that exact values need, and their rounding.
#pragma once

#include <cstdint>
#include <span>

#include "orderlab/format.hpp"

namespace orderlab {

inline constexpr int kWordBits = 64;

/// Number of bits up to the highest one; 0 for zero.
int bit_length(std::span<const std::uint64_t> words);

/// words += value * 2^position, modulo the width; true if it wrapped. `position` is below the width.
bool add_at(std::span<std::uint64_t> words, std::uint64_t value, int position);

/// words -= value * 2^position, modulo the width; true if it wrapped.
bool subtract_at(std::span<std::uint64_t> words, std::uint64_t value, int position);

/// words = -words, modulo the width.
void negate(std::span<std::uint64_t> words);

/// words = floor(words / divisor), 0 < divisor; returns the remainder.
std::uint64_t divide(std::span<std::uint64_t> words, std::uint64_t divisor);

/// A number rounded to a format.
struct Rounded {
  std::uint64_t bits;  ///< bit pattern in the format
  bool inexact;        ///< the number is no value of the format
};

/// (-1)^negative * words * 2^exponent rounded once to `format`, to nearest, ties to even; overflow to infinity.
Rounded round_natural(Format format, bool negative, std::span<const std::uint64_t> words, int exponent);

}  // namespace orderlab
