// A quantity of operations against their size: the chart that Vc and both kinds of Vermv share.
#pragma once

#include <optional>

#include "page/chart.hpp"
#include "page/operation_cells.hpp"

namespace orderlab {

/// The quantity over the number of outputs or the ratio, beside what is published of it; empty where all points have
/// one value of that.
std::optional<Figure> operation_figure(const SweepContent& content, const OperationQuantity& quantity,
                                       OperationSize over);

}  // namespace orderlab
