// How many decimal digits a number of a format needs.
#pragma once

#include "orderlab/format.hpp"

namespace orderlab {

/// Significant digits that tell any two numbers of the format apart: 1 + p log10(2), rounded up. 9 for fp32, 17 for
/// fp64.
constexpr int distinguishing_digits(Format format) { return 2 + info(format).precision * 30103 / 100000; }

}  // namespace orderlab
