// Several stores of one sweep become one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "sweep/sweep_status.hpp"

namespace orderlab {

struct MergeOptions {
  /// Also stores that are not there or have no sweep yet may be named: they have no points.
  bool allow_absent = false;
  std::stop_token stop = {};
  std::function<void(std::uint64_t stores_done, std::uint64_t stores)> progress = {};  ///< each store counts twice
};

struct MergeOutcome {
  std::size_t added = 0;
  std::size_t stored = 0;                ///< points of the plan that OUT has now
  std::size_t planned = 0;               ///< points of the plan
  bool stopped = false;                  ///< before all were added
  std::vector<std::string> absent = {};  ///< stores that are not there or have no sweep yet
  std::vector<ShardRun> runs = {};       ///< what the stores, and OUT, say of their shards
};

/// Adds the points of the stores `from` to the store `to`, which is made if it is not there. Whatever their order, and
/// however the points were split, the content is that of one run.
///
/// All stores are checked before anything is written; then points are added some thousands at a time. Each store is
/// open alone, and 64 bytes or so are kept for a point. A merge that was killed or stopped can be repeated. Points that
/// a sweep adds to a store meanwhile are left for another merge.
///
/// Errors: usage for a store that is given twice, or is to be merged with itself; input for stores of different plans,
/// for two that differ in what one point gave, for damaged ones, even where another store has the same points (a disk
/// that loses bits is not to be passed over), for one that loses points meanwhile, and those of Store. A store that was
/// there is left as it was, unless its disk is full or another store changes meanwhile.
MergeOutcome merge_stores(const std::string& to, std::span<const std::string> from, const MergeOptions& options = {});

}  // namespace orderlab
