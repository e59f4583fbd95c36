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
AdditionCount count_chained_scan(const LoweredOperation& operation);

/// The same scan of tiles with the look-back of this model, which draws nothing.
std::shared_ptr<const LoweredOperation> with_lookback(const LoweredOperation& operation, const char* model);

/// All outputs of a scan of one line left to right with the compensation of Kahan: y = x - c, t = s + y,
/// c = (t - s) - y. Four additions a term, but for those of 0.
Terms kahan_scan(const LoweredOperation& operation);
AdditionCount count_kahan_scan(const LoweredOperation& operation);

/// Additions of all outputs, those of +0 left out; of look-back that is drawn, as its fixed form has it.
AdditionCount count_additions(const LoweredOperation& operation);

/// The same scan of one line of tiles in another form: by Sklansky's network over `width` terms at a time, or in turn.
std::shared_ptr<const LoweredOperation> in_form(const LoweredOperation& operation, PrefixScan::Form form,
                                                std::size_t width);

}  // namespace orderlab
