// What is missing of a sweep, and what to run for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/sweep_status.hpp"

namespace orderlab::cli {

/// The file that a shard without a store should have; empty where none can be told.
using StoreOfShard = std::function<std::string(const Shard& shard)>;

/// From stores whose names have the numbers of their shards, such as part-3.sqlite of 3/8: that of another number. The
/// same place of the name has the number in all of them; digits of the extension are none.
StoreOfShard store_like(const SweepStatus& status);

/// Which shards are not finished, and a command for each of them, up to a number that can be read:
///
///     unfinished shards of 8: 3,7-8
///     to finish, run:
///       orderlab sweep CONFIG --db part-3.sqlite --shard 3/8
///
/// The first line only of several shards. `then`: what else is to do, such as " and merge again"; `config`: its file;
/// `whole`: the store of a sweep without shards.
std::string how_to_finish(const SweepStatus& status, const std::string& then, const std::string& config,
                          const StoreOfShard& store_of, const std::string& whole);

/// How many lines of one kind are shown.
inline constexpr std::size_t kMostLines = 20;

}  // namespace orderlab::cli
