// Evaluators of plans that change formats.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/term_view.hpp"
#include "run/height_runs.hpp"

namespace orderlab {

/// What the fixed steps of a plan leave: the partial sums that its first random step sees, their heights, and what was
/// added up for the error bounds.
struct FixedSums {
  std::vector<double> numbers;
  HeightRuns heights;
  RunningError error;
};

/// The evaluator of a plan with fixed steps, which have left numbers of `format`, and of which every other addition is
/// in that format. error.scale is 1 unless that is fp64.
std::unique_ptr<const Evaluator> make_evaluator_in(Format format, std::shared_ptr<const Plan> plan,
                                                   const TermView& terms, std::uint64_t seed, const FixedSums& fixed);

/// Evaluator::make for a plan with a Round or an In.
std::unique_ptr<const Evaluator> make_mixed_evaluator(std::shared_ptr<const Plan> plan, const TermView& terms,
                                                      std::uint64_t seed, const Loop& loop);

}  // namespace orderlab
