// Outputs that are made of the sums of rows.
#pragma once

#include <cstddef>
#include <memory>

#include "orderlab/loop.hpp"
#include "orderlab/order.hpp"
#include "orderlab/output_sums.hpp"

namespace orderlab {

/// Makes the outputs of `operation` those of `finish`, `elements` of each row, from the rows that `sums` adds by
/// `order`. The launch is that of the sums; its guarantee and the kernel are still to be said.
void set_finished(LoweredOperation& operation, const Order& order, std::shared_ptr<const LoweredOperation> sums,
                  std::size_t elements, std::shared_ptr<const RowFinish> finish);

/// All outputs of an operation with `finished` from the sums of its rows.
Terms finished_outputs(const LoweredOperation& operation, const Terms& sums, const Loop& loop = serial_loop);

/// As OutputSums::make, for such an operation: sums are drawn, and outputs made of them.
std::unique_ptr<const OutputSums> make_finished_outputs(std::shared_ptr<const LoweredOperation> operation,
                                                        const ArrivalCall& arrival, const DrawPath& path);

}  // namespace orderlab
