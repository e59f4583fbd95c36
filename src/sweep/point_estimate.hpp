// What a point will take, before it is run.
#pragma once

#include "sweep/sweep_plan.hpp"

namespace orderlab {

struct PointEstimate {
  double core_seconds = 0;  ///< time on one core, good to a factor of three or so
  double memory_bytes = 0;  ///< terms, evaluator and counts while it runs on `threads` threads
};

PointEstimate estimate(const SweepPoint& point, int threads);

}  // namespace orderlab
