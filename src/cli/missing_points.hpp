// What is missing of a sweep, and what to run for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/sweep_status.hpp"

namespace orderlab::cli {

/// The file that a shard without a store should have; empty where none can be told.
using StoreOfShard = std::function<std::string(const Shard& shard)>;

/// From stores whose names have the numbers of their shards, such as part-3.sqlite of 3/8: that of another number.
StoreOfShard store_like(const std::vector<ShardRun>& runs);

/// "3,7-9": numbers of the shards that are not finished, as a Slurm array has them.
std::string unfinished_shards(const SweepStatus& status);

/// One command a line for each shard that is not finished, up to a number that can be read. `config`: its file;
/// `fallback`: the store for a shard that has none, by `store_of` neither.
std::string finishing_commands(const SweepStatus& status, const std::string& config, const StoreOfShard& store_of,
                               const std::string& fallback);

/// How many lines of one kind are shown.
inline constexpr std::size_t kMostLines = 20;

}  // namespace orderlab::cli
