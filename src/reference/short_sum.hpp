// The exact sum of a few terms whose exponents are near each other, in registers.
#pragma once

#include <cstddef>
#include <optional>

#include "orderlab/exact.hpp"

namespace orderlab {

/// The most terms that short_sum() takes.
inline constexpr std::size_t kMostShortTerms = 1024;

/// The exact sum of the terms, or of their absolute values. Nothing if a term is infinite or NaN, if exponents are too
/// far apart, and for products of doubles.
std::optional<ExactValue> short_sum(const TermView& terms, bool absolute);

}  // namespace orderlab
