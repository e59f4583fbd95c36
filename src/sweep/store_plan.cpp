#include "sweep/store_plan.hpp"

#include <SQLiteCpp/Statement.h>

#include "sweep/store_file.hpp"
#include "sweep/store_schema.hpp"

namespace orderlab {

BesidePlan beside_plan(const SQLite::Database& database, const std::string& plan_hash) {
  BesidePlan beside;
  if (has_published(database)) {
    RowReader row(database, kPublishedTable);
    const bool there = row.next();
    beside.published_intact = !there || row.intact();
    if (there && row.intact() && row.published().plan_hash == plan_hash) beside.published = row.published().points;
  }
  if (!has_shards(database)) return beside;
  for (RowReader row(database, kShardTable); row.next();) {
    if (!row.intact())
      beside.shards_intact = false;
    else if (const ShardRow shard = row.shard(); shard.plan_hash == plan_hash)
      beside.shards.push_back(shard.shard);
  }
  return beside;
}

void write_published(SQLite::Database& database, const PublishedPointsRow& row) {
  if (has_published(database)) database.exec("DELETE FROM published");
  if (row.points.empty()) return;
  database.exec(kPublishedTableSql);
  RowWriter(database, kPublishedTable).write(row);
}

void write_shard(SQLite::Database& database, const ShardRow& row) {
  if (row.shard.count == 1) return;
  database.exec(kShardTableSql);
  SQLite::Statement others(database, "DELETE FROM shard WHERE plan_hash <> ?");
  others.bind(1, row.plan_hash);
  others.exec();
  RowWriter(database, kShardTable).write(row);
}

}  // namespace orderlab
