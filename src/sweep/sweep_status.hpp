// How far a sweep is, by shard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/shard.hpp"

namespace orderlab {

/// A shard that was run on a store; 1/1 of a store without shards.
struct ShardRun {
  Shard shard;
  std::string store;
};

struct ShardStatus {
  Shard shard;
  std::vector<std::string> stores = {};  ///< where it was run
  std::uint64_t points = 0;
  std::uint64_t finished = 0;

  std::uint64_t missing() const { return points - finished; }
};

/// Counts the points of a plan by shard.
///
/// Shards are those of one N: of what most shards were run by, and of two such N the greater. Points finished by
/// another N, or without shards, count where that N would have them.
class SweepStatus {
 public:
  /// `points`: how many the plan has. All positions that are added are below.
  SweepStatus(const std::vector<ShardRun>& runs, std::uint64_t points);

  void add(std::uint64_t position, bool finished);

  /// The shard that has a position of the plan.
  Shard shard_of(std::uint64_t position) const;

  /// N.
  std::uint64_t shard_count() const { return count_; }

  /// By number; those with neither points nor stores, of which there may be millions, are left out.
  const std::vector<ShardStatus>& shards() const { return shards_; }

  std::uint64_t points() const { return points_; }
  std::uint64_t finished() const { return finished_; }
  std::uint64_t missing() const { return points_ - finished_; }

  /// Runs by another N.
  const std::vector<ShardRun>& others() const { return others_; }

 private:
  void add_store(const ShardRun& run);

  std::uint64_t count_;
  std::vector<ShardStatus> shards_;
  std::vector<ShardRun> others_;
  std::uint64_t points_ = 0;
  std::uint64_t finished_ = 0;
};

}  // namespace orderlab
