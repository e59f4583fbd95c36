// What a person reads before a sweep.
#pragma once

#include <string>

#include "show/text_style.hpp"
#include "sweep/sweep.hpp"
#include "sweep/sweep_plan.hpp"

namespace orderlab {

/// The points of a shard with what each is estimated to take on `threads` threads, and the sum of it. Of the axes,
/// those that vary; of more than 1000 points the first and the last ones.
std::string plan_text(const SweepPlan& plan, const Shard& shard, int threads, const TextStyle& style);

}  // namespace orderlab
