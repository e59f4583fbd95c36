// Running the points of a plan and storing each as it is finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "core/shard.hpp"
#include "sweep/store.hpp"
#include "sweep/sweep_plan.hpp"

namespace orderlab {

/// How far a sweep is.
struct SweepProgress {
  std::size_t points_done = 0;
  std::size_t points = 0;  ///< to run now
  std::uint64_t samples_done = 0;
  std::uint64_t samples = 0;
  double fraction = 0;  ///< part of the estimated time that is over
};

struct SweepOptions {
  Shard shard;              ///< runs every count-th point of the plan, from point `number` on
  int threads = 0;          ///< 0: all
  double memory_bytes = 0;  ///< at most so much at a time
  std::stop_token stop = {};
  std::function<void(const SweepProgress&)> progress = {};  ///< called from one thread at a time
  std::function<void(const std::string&)> notice = {};  ///< called with what was wrong with the store, and is mended
};

struct SweepOutcome {
  std::size_t planned = 0;  ///< points of the shard
  std::size_t there = 0;    ///< finished before
  std::size_t added = 0;
  bool stopped = false;
};

/// Runs the points that the store has not, those first that take longest, and stores each as it is finished. Points run
/// beside each other, and samples of one point beside each other, in one arena. What is stored depends on the plan
/// alone, but for the times.
///
/// Errors: input for a store whose points are all of another sweep; unsupported for a point that does not fit into the
/// memory; those of Store; what is stored by then stays. Damaged rows of the store are removed and computed again.
SweepOutcome run_sweep(const SweepPlan& plan, Store& store, const SweepOptions& options);

}  // namespace orderlab
