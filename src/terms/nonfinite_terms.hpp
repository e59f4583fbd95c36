// Infinities and NaNs among the terms.
#pragma once

#include <string>

#include "orderlab/term_view.hpp"

namespace orderlab {

/// "NaN", "inf and -inf", "inf", "-inf", or empty when all terms are finite. A product counts as what it is: 0 * inf as
/// NaN; finite factors count as finite even if their product overflows.
std::string nonfinite_terms(const TermView& terms);

}  // namespace orderlab
