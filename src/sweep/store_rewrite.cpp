#include "sweep/store_rewrite.hpp"

#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <string>
#include <vector>

#include "sweep/store_file.hpp"
#include "sweep/store_schema.hpp"
#include "sweep/stored_row.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kOld = "orderlab_old_";

std::string old_name(const StoreTable& table) { return std::string(kOld) + std::string(table.name); }

RowReader old_rows(const SQLite::Database& database, const StoreTable& table) {
  return {database, table, RowReader::Rows::all, kOld};
}

void copy_plan(SQLite::Database& database) {
  RowWriter sweeps(database, kSweepTable);
  for (RowReader row = old_rows(database, kSweepTable); row.next();) sweeps.write(row.sweep());
  RowWriter places(database, kPlanTable);
  for (RowReader row = old_rows(database, kPlanTable); row.next();) places.write(row.plan());
}

// Shards of any plan: set_plan removes those of others.
std::vector<ShardRow> intact_shards(const SQLite::Database& database) {
  std::vector<ShardRow> shards;
  if (!has_shards(database)) return shards;
  for (RowReader row(database, kShardTable); row.next();)
    if (row.intact()) shards.push_back(row.shard());
  return shards;
}

void copy_points(SQLite::Database& database) {
  RowWriter points(database, kPointTable, "INSERT OR IGNORE");
  FinishedRow finished;
  for (RowReader row = old_rows(database, kPointTable); row.next();) {
    if (!row.intact()) continue;
    if (const auto hash = points.write(row.point())) finished.add(*hash);
  }
  RowWriter(database, kFinishedTable, "INSERT OR REPLACE").write(finished);
}

}  // namespace

bool is_sound(const SQLite::Database& database) {
  try {
    SQLite::Statement check(database, "PRAGMA integrity_check(1)");
    return check.executeStep() && check.getColumn(0).getString() == "ok";
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() != SQLITE_CORRUPT) throw;
    return false;
  }
}

void require_sound(const SQLite::Database& database) {
  if (!is_sound(database)) throw SQLite::Exception("its structure is damaged", SQLITE_CORRUPT);
}

void rewrite_store(SQLite::Database& database, bool with_plan) {
  database.exec("PRAGMA legacy_alter_table = ON");  // views made by others then refer to the new tables
  database.exec("DROP VIEW results");
  for (const StoreTable& table : {kSweepTable, kPlanTable, kPointTable})
    database.exec("ALTER TABLE " + std::string(table.name) + " RENAME TO " + old_name(table));
  database.exec("DROP TABLE finished");
  if (has_published(database)) database.exec("DROP TABLE published");  // set_plan writes them again
  const std::vector<ShardRow> shards = intact_shards(database);
  if (has_shards(database)) database.exec("DROP TABLE shard");
  create_schema(database);
  if (!shards.empty()) {
    database.exec(kShardTableSql);
    RowWriter rows(database, kShardTable);
    for (const ShardRow& row : shards) rows.write(row);
  }
  if (with_plan) copy_plan(database);
  copy_points(database);
  for (const StoreTable& table : {kSweepTable, kPlanTable, kPointTable}) database.exec("DROP TABLE " + old_name(table));
}

}  // namespace orderlab
