// Charts of one solver's runs.
#pragma once

#include <vector>

#include "orderlab/study/solve.hpp"
#include "page/chart.hpp"

namespace orderlab {

/// How far runs drift apart by iteration, residuals by iteration, and how many iterations runs take. The first is as
/// wide as the page.
std::vector<DrawnChart> solve_charts(const study::SolveFinding& finding);

}  // namespace orderlab
