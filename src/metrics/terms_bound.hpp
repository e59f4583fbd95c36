// A bound for every order of the terms, whoever adds them.
#pragma once

#include <cstddef>

#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// A bound on |result - exact| for every order of n terms, with partial sums in the accumulate format or a wider one:
/// D3 for two terms more than there are, which compensated sums keep too; what rounding terms or products to the
/// format, flushing subnormals in fp32, and rounding the sum to the result format add; for products as many times more
/// as matrix units may lose (run/matrix_units.hpp), with `raised`, the sum of raised_by_subnormals. Infinite where an
/// order may overflow.
///
/// Error: rounded upward.
double terms_bound(const Formats& formats, std::size_t n, bool products, const ExactValue& exact,
                   const ExactValue& sum_abs, double raised = 0);

}  // namespace orderlab
