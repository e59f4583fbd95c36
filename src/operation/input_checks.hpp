// What operations check of their inputs.
#pragma once

#include <string>
#include <string_view>

#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// Error(unsupported), "WHAT COUNT: ...", for 2^31 and more, and for more than memory has room for.
void require_small(std::string_view what, double count);

/// Error(input), "OPERATION: WHAT is 2x3; it must be 3x2", where the shapes differ.
void require_shape(const std::string& operation, std::string_view what, const Shape& shape, const Shape& expected);

/// Error(unsupported) for results in fp64, of operations whose exact results are made in doubles.
void require_narrow_results(const std::string& operation, const Formats& formats);

}  // namespace orderlab
