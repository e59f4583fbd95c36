// Heights that steps leave, derived from their descriptions.
#pragma once

#include "orderlab/steps.hpp"
#include "run/height_runs.hpp"

namespace orderlab {

/// Heights of what a reducing step leaves of partial sums with the heights `in`; the step is not a random one.
HeightRuns heights_after(const Step& step, const HeightRuns& in);

}  // namespace orderlab
