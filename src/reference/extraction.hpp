// Vector kernels of the exact sum, compiled for every vector extension and chosen when the program runs. They add in
// floating point without rounding errors and say where they cannot.
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
  int top;
};

/// Adds leading blocks of x[0] ... x[n - 1]; stops before a block that does not fit below `top` (infinities and NaN
/// never do), or when the integers are full. Anything of x may fail; nothing that is returned is ever inexact. Needs an
/// environment that rounds to nearest and keeps subnormals.
Extracted extract(const double* x, std::size_t n, int top);

/// The same in two thirds of the time, in any environment, for terms whose exponents are near that of the largest of
/// the first kNearSample: at most 29 below it or 2 above. It stops before a block that has another term, zeros among
/// them, and before a rest that is shorter than a vector, of at most kMostLanes doubles.
Extracted extract_near(const double* x, std::size_t n);
inline constexpr std::size_t kNearSample = 32;
inline constexpr std::size_t kMostLanes = 8;

/// The most terms that a block has, on any machine.
inline constexpr std::size_t kBlockTerms = 1024;

/// The terms as doubles: term i, or its absolute value, is high[i] + low[i], exactly; `low` is written for products of
/// doubles only. False where that is not possible: a product out of range, or no fused multiply-add in the machine.
/// Needs an environment that rounds to nearest and keeps subnormals.
bool split_terms(const TermView& terms, bool absolute, double* high, double* low);

}  // namespace orderlab
