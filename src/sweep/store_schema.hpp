// The schema of a store: what any SQLite client sees.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace orderlab {

/// "orLB": PRAGMA application_id of a store.
inline constexpr int kStoreApplication = 0x6f724c42;

/// "orLR": that of a store of records (record_store.hpp).
inline constexpr int kRecordApplication = 0x6f724c52;

/// PRAGMA user_version: raised with every change that an older orderlab could not read. A store is of version 3 once it
/// has had a plan with operations; its tables are those of version 2. No other version is read.
inline constexpr int kStoreVersion = 3;
inline constexpr int kSumsVersion = 2;

/// config, terms, summation and metrics are JSON: "config", "input", "order" of `orderlab sample --json`, and its other
/// keys. Of an operation, whose config has "op", terms are what it was done with ("launch", "shape", "outputs", ...),
/// metrics its numbers ("samples", "vc", ...), summation {} and counts nothing. Else counts are the bytes of
/// counts_blob.hpp. `plan` is the sweep that was last run on the store; points of earlier ones stay, and a sweep that
/// has them again need not compute them.
///
/// row_hash is XXH3-128 of the table's name and all other columns of its row, each with its type and length
/// (stored_row.hpp). A row that is lost leaves no hash behind: plan_hash tells of one of `plan`, and `finished` of one
/// of `point`.
inline constexpr const char* kStoreTables = R"(
CREATE TABLE sweep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  title TEXT NOT NULL,
  question TEXT NOT NULL,
  plan_hash TEXT NOT NULL,  -- of all points in their order
  row_hash BLOB NOT NULL
);
CREATE TABLE plan (
  position INTEGER PRIMARY KEY,   -- from 0, in the config's order
  point TEXT NOT NULL,            -- hash of a point, finished or not; each once
  order_text TEXT NOT NULL,       -- as the config writes it
  arrival_text TEXT NOT NULL,     -- as the config writes it; empty where the order takes none
  row_hash BLOB NOT NULL
);
CREATE TABLE point (
  hash TEXT NOT NULL PRIMARY KEY,   -- XXH3-128 of bits_version and config
  config TEXT NOT NULL,
  terms TEXT NOT NULL,
  summation TEXT NOT NULL,
  metrics TEXT NOT NULL,
  counts BLOB NOT NULL,
  version TEXT NOT NULL,            -- of orderlab
  flags TEXT NOT NULL,              -- compiler and flags
  cpu TEXT NOT NULL,
  wall_ns INTEGER NOT NULL,         -- of this point; others may have run beside it
  row_hash BLOB NOT NULL
);
CREATE TABLE finished (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  points INTEGER NOT NULL,          -- rows of `point`
  row_hashes BLOB NOT NULL,         -- exclusive or of their row_hash
  row_hash BLOB NOT NULL
);
)";

/// The view `results`, one row for each finished point of `plan`: columns of axes and of metrics stand between these.
inline constexpr const char* kViewName = "results";
inline constexpr const char* kViewStart =
    R"(CREATE VIEW results AS SELECT   -- seeds from 2^63 on are rounded here; point.config has all digits
  plan.position,
  plan.order_text,
  plan.arrival_text,
)";
inline constexpr const char* kViewFacts = R"(  json_extract(point.terms, '$.exact.decimal') AS exact,
  json_extract(point.terms, '$.condition') AS condition_number,
  json_extract(point.metrics, '$.samples') AS samples,
)";
inline constexpr const char* kViewEnd = R"(  point.version,
  point.flags,
  point.cpu,
  point.wall_ns / 1e9 AS wall_s
FROM plan JOIN point ON point.hash = plan.point ORDER BY plan.position;
)";

/// Beside them, in a store of a sweep that names a file of published points: these, so that a page can show them. They
/// are of the plan with this hash, and of no other.
inline constexpr const char* kPublishedTableSql = R"(
CREATE TABLE IF NOT EXISTS published (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  plan_hash TEXT NOT NULL,
  points TEXT NOT NULL,             -- JSON
  row_hash BLOB NOT NULL
);
)";

/// Beside them, in a store on which shards were run: which of how many, of the plan with this hash. A merged store has
/// none, so that it does not depend on how the points were split.
inline constexpr const char* kShardTableSql = R"(
CREATE TABLE IF NOT EXISTS shard (
  plan_hash TEXT NOT NULL,
  number INTEGER NOT NULL,          -- from 1
  count INTEGER NOT NULL,           -- above 1
  row_hash BLOB NOT NULL
);
)";

/// Which columns of axes and metrics a view has, by their names; empty: all.
using HasColumn = std::function<bool(std::string_view column)>;

/// Not those of operations.
bool is_of_sums(std::string_view column);

std::string results_view(const HasColumn& has = {});

/// Tables and view.
std::string store_schema(const HasColumn& has = {});

}  // namespace orderlab
