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
  explicit SweepStatus(const std::vector<ShardRun>& runs);

  void add(std::uint64_t position, bool finished);

  /// The shard that has a position of the plan.
  Shard shard_of(std::uint64_t position) const;

  const std::vector<ShardStatus>& shards() const { return shards_; }
  std::uint64_t points() const { return points_; }
  std::uint64_t finished() const { return finished_; }
  std::uint64_t missing() const { return points_ - finished_; }

  /// Runs by another N.
  const std::vector<ShardRun>& others() const { return others_; }

 private:
  std::vector<ShardStatus> shards_;
  std::vector<ShardRun> others_;
  std::uint64_t points_ = 0;
  std::uint64_t finished_ = 0;
};

}  // namespace orderlab
