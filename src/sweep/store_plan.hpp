// What a store may have beside its plan: published points, and the shards that were run on it.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "core/shard.hpp"
#include "sweep/stored_row.hpp"

namespace orderlab {

/// Empty where it has none of this plan.
std::string published_of_plan(const SQLite::Database& database, const std::string& plan_hash);

/// Those of an earlier plan go, also where the row has no points.
void write_published(SQLite::Database& database, const PublishedPointsRow& row);

/// The intact ones of this plan.
std::vector<Shard> shards_of_plan(const SQLite::Database& database, const std::string& plan_hash);

/// Those of an earlier plan go. The shard 1/1 is not written: all points are no shard.
void write_shard(SQLite::Database& database, const ShardRow& row);

}  // namespace orderlab
