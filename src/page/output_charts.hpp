// Charts of the outputs of one operation: where in the array they differ, how often, and how far.
#pragma once

#include <vector>

#include "page/chart.hpp"
#include "study/output_history.hpp"

namespace orderlab {

/// A map of the array, cells of neighbouring outputs joined, and histograms. The first is as wide as the page.
std::vector<DrawnChart> output_charts(const study::OperationSampleFinding& finding,
                                      const std::vector<study::OutputHistory>& outputs);

}  // namespace orderlab
