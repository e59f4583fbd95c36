// Sums whose additions have a precision that no format has, such as the 64 bits of the x87.
#pragma once

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// The sum by the tree, of additions alone, every product and addition rounded to `precision` bits and the last one to
/// `result` then. Exponents have no bounds.
///
/// Shape: terms.n == tree.term_count() >= 1.
double wide_sum(const SummationTree& tree, const TermView& terms, int precision, Format result);

}  // namespace orderlab
