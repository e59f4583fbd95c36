// Evaluators of plans that change formats.
#pragma once

#include <cstdint>
#include <memory>

#include "orderlab/evaluator.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// Evaluator::make for a plan with a Round or an In.
std::unique_ptr<const Evaluator> make_mixed_evaluator(std::shared_ptr<const Plan> plan, const TermView& terms,
                                                      std::uint64_t seed, const Loop& loop);

}  // namespace orderlab
