// Outputs that are made of the sums of rows.
#pragma once

#include <memory>

#include "orderlab/loop.hpp"
#include "orderlab/output_sums.hpp"

namespace orderlab {

/// All outputs of an operation with `finished` from the sums of its rows.
Terms finished_outputs(const LoweredOperation& operation, const Terms& sums, const Loop& loop = serial_loop);

/// As OutputSums::make, for such an operation: sums are drawn, and outputs made of them.
std::unique_ptr<const OutputSums> make_finished_outputs(std::shared_ptr<const LoweredOperation> operation,
                                                        const ArrivalCall& arrival, const DrawPath& path);

}  // namespace orderlab
