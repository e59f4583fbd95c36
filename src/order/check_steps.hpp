// Checks descriptions of stages that are not built in. Tests check those of the built-in ones, so that compiling an
// order of these costs nothing.
#pragma once

#include <cstddef>

#include "orderlab/order.hpp"

namespace orderlab {

/// Checks `steps`, the description of the call for m partial sums: all that steps.hpp and order.hpp ask of it.
///
/// Errors: usage, naming the stage and what is wrong.
/// Cost:   2 to 5 ns and a bit of memory for each partial sum; of a Split only for one part of each size.
void check_steps(const StageCall& call, const Steps& steps, std::size_t m);

}  // namespace orderlab
