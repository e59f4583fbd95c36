// Vector kernels of the exact sum, compiled for every vector extension and chosen when the program runs. They add in
// floating point without rounding errors and say where they cannot. They need an environment that rounds to nearest and
// keeps subnormals.
#pragma once

#include <cstddef>
#include <cstdint>

#include "orderlab/term_view.hpp"

namespace orderlab {

/// Doubles that are multiples of 2^(top - kWindowBits) and, added up, stay well below 2^top have exact vector sums.
inline constexpr int kWindowBits = 97;
/// The two parts of such a sum are integers times 2^(top - kHighBits) and 2^(top - kWindowBits).
inline constexpr int kHighBits = 52;
/// Range of `top`: 1.5 * 2^top is finite, and 2^(top - kWindowBits) is far from subnormal.
inline constexpr int kLowestTop = -900;
inline constexpr int kHighestTop = 1022;

/// The sum of x[0] ... x[count - 1] is high * 2^(top - kHighBits) + low * 2^(top - kWindowBits), exactly.
struct Extracted {
  std::size_t count;
  std::int64_t high;
  std::int64_t low;
};

/// Adds leading blocks of x[0] ... x[n - 1]; stops before a block that does not fit below `top` (infinities and NaN
/// never do), or when the integers are full. Anything of x may fail; nothing that is returned is ever inexact.
Extracted extract(const double* x, std::size_t n, int top);

/// The most terms that a block of extract() has, on any machine.
inline constexpr std::size_t kBlockTerms = 4096;

/// The terms as doubles: term i, or its absolute value, is high[i] + low[i], exactly; `low` is written for products of
/// doubles only. False where that is not possible: a product out of range, or no fused multiply-add in the machine.
bool split_terms(const TermView& terms, bool absolute, double* high, double* low);

}  // namespace orderlab
