// The correctly rounded sum of a few products of doubles, without an accumulator where that is certain.
#pragma once

#include <cstddef>
#include <optional>

namespace orderlab {

/// More products are added faster by other means.
inline constexpr std::size_t kMostCertainProducts = 64;

/// The exact sum of x[i] y[i], rounded once to nearest, ties to even. Nothing where the error bound of the sum in twice
/// the precision does not settle it: near ties, after much cancellation, for 0, subnormals, inf and NaN.
///
/// Shape:  1 <= n <= kMostCertainProducts.
/// Source: Dot2 of [OgitaRumpOishi2005] with a running bound.
std::optional<double> certain_dot(const double* x, const double* y, std::size_t n);

}  // namespace orderlab
