// The explicit trees of a plan.
#pragma once

#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/term_view.hpp"
#include "run/plan_run.hpp"

namespace orderlab {

/// The tree of the order that `draw` draws. `converted`: every term is rounded to the accumulate format first.
SummationTree tree_of(const Plan& plan, const TermView& terms, bool converted, Draw draw);

/// Evaluator::tail_tree: over the partial sums `inputs` that the first random step sees.
SummationTree tail_tree_of(const Plan& plan, const std::vector<double>& inputs, std::uint64_t seed);

}  // namespace orderlab
