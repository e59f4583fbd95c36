#include "sweep/store_plan.hpp"

#include <SQLiteCpp/Statement.h>

#include "sweep/store_file.hpp"
#include "sweep/store_schema.hpp"

namespace orderlab {

std::string published_of_plan(const SQLite::Database& database, const std::string& plan_hash) {
  if (!has_published(database)) return {};
  RowReader row(database, kPublishedTable, true);
  return row.next() && row.intact() && row.published().plan_hash == plan_hash ? row.published().points : std::string();
}

void write_published(SQLite::Database& database, const PublishedPointsRow& row) {
  if (has_published(database)) database.exec("DELETE FROM published");
  if (row.points.empty()) return;
  database.exec(kPublishedTableSql);
  RowWriter(database, kPublishedTable).write(row);
}

std::vector<Shard> shards_of_plan(const SQLite::Database& database, const std::string& plan_hash) {
  std::vector<Shard> shards;
  if (!has_shards(database)) return shards;
  for (RowReader row(database, kShardTable, true); row.next();)
    if (row.intact() && row.shard().plan_hash == plan_hash) shards.push_back(row.shard().shard);
  return shards;
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
