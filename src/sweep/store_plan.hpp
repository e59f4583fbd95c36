// What a store may have beside its plan: published points, and the shards that were run on it.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "core/shard.hpp"
#include "sweep/stored_row.hpp"

namespace orderlab {

/// What is of this plan, and intact.
struct BesidePlan {
  std::string published = {};  ///< empty where it has none
  std::vector<Shard> shards = {};
  bool published_intact = true;
  bool shards_intact = true;
};

BesidePlan beside_plan(const SQLite::Database& database, const std::string& plan_hash);

/// Replaces the published points of an earlier plan, even if the row has no points.
void write_published(SQLite::Database& database, const PublishedPointsRow& row);

/// Removes the shards of an earlier plan. The shard 1/1 is not written, because it is the whole sweep.
void write_shard(SQLite::Database& database, const ShardRow& row);

}  // namespace orderlab
