// The exact results of an operation.
#pragma once

#include "operation/exact_rows.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

/// Exact outputs for the operation's inputs: also where contributions are partial sums of them.
ExactRows exact_outputs(const LoweredOperation& operation, const Loop& loop = serial_loop);

}  // namespace orderlab
