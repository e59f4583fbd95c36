// All outputs of a scan.
#pragma once

#include <memory>

#include "orderlab/output_sums.hpp"

namespace orderlab {

/// As OutputSums::make, for an operation that is a scan.
std::unique_ptr<const OutputSums> make_scan_outputs(std::shared_ptr<const LoweredOperation> operation,
                                                    const ArrivalCall& arrival, const DrawPath& path);

/// All outputs where every tile adds the inclusive sum of the tile before it: the same bits in every run.
Terms chained_scan(const LoweredOperation& operation);

}  // namespace orderlab
