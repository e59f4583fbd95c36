// Rows of a store with their hashes: rows are hashed when written and compared with the hash when read.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sweep/content_hash.hpp"
#include "sweep/store.hpp"

namespace orderlab {

/// A row of `sweep`.
struct SweepRow {
  std::string title;
  std::string question;
  std::string plan_hash;

  bool operator==(const SweepRow&) const = default;
};

/// A row of `plan`.
struct PlanRow {
  std::int64_t position = 0;
  std::string point;
  std::string order_text;
  std::string arrival_text;
};

/// The row of `published`.
struct PublishedPointsRow {
  std::string plan_hash;
  std::string points;  ///< published_text
};

/// A row of `shard`.
struct ShardRow {
  std::string plan_hash;
  Shard shard;

  bool operator==(const ShardRow&) const = default;
};

/// The row of `finished`.
struct FinishedRow {
  std::int64_t points = 0;
  ContentHash row_hashes;  ///< their exclusive or

  void add(const ContentHash& row_hash);
  bool operator==(const FinishedRow&) const = default;
};

/// The tables, and their columns before row_hash.
struct StoreTable {
  std::string_view name;
  std::string_view columns;
};
inline constexpr StoreTable kSweepTable{"sweep", "id, title, question, plan_hash"};
inline constexpr StoreTable kPlanTable{"plan", "position, point, order_text, arrival_text"};
inline constexpr StoreTable kPublishedTable{"published", "id, plan_hash, points"};
inline constexpr StoreTable kShardTable{"shard", "plan_hash, number, count"};
inline constexpr StoreTable kPointTable{
    "point", "hash, config, terms, summation, metrics, counts, version, flags, cpu, wall_ns"};
inline constexpr StoreTable kFinishedTable{"finished", "id, points, row_hashes"};

/// A value of a column: a whole number, a text or a blob. No row that was written has null, or a real number.
struct Blob {
  std::string_view bytes;
};
using StoredValue = std::variant<std::monostate, std::int64_t, std::string_view, Blob>;

/// XXH3-128 of a table's name and the values of a row: each as a letter for its type, for a text or a blob
/// its length, and its bytes; numbers have 8 bytes, low ones first. No two rows are the same bytes.
/// `bytes` is overwritten with what is hashed.
ContentHash row_hash(std::string_view table, std::span<const StoredValue> values, std::string& bytes);

/// Reads all rows of a table in the order of their rowids, or one of them. No index is trusted: what a damaged one
/// hides would be missing without a word.
class RowReader {
 public:
  enum class Rows { all, one };

  /// The table is now called `prefix` and its name.
  RowReader(const SQLite::Database& database, const StoreTable& table, Rows rows = Rows::all,
            std::string_view prefix = "");

  bool next();

  /// For a reader of one row: whether this one is there.
  bool find(std::int64_t rowid);

  std::int64_t rowid() const { return statement_.getColumn(0).getInt64(); }

  /// Whether the row is what was written.
  bool intact() const { return stored_hash_ == hash_; }
  const ContentHash& hash() const { return hash_; }

  /// The hash that a row of `point` is found by.
  std::string hash_text() const { return text(1); }

  SweepRow sweep() const;
  PlanRow plan() const;
  PublishedPointsRow published() const;
  ShardRow shard() const;
  StoredPoint point() const;
  FinishedRow finished() const;

 private:
  std::string text(int column) const;
  std::int64_t number(int column) const;

  StoreTable table_;
  mutable SQLite::Statement statement_;  // columns are read by functions that are not const
  std::vector<StoredValue> values_;      // values of the row, without its hash
  std::string hashed_bytes_;             // kept for the next row
  ContentHash hash_;
  std::optional<ContentHash> stored_hash_;
};

/// Inserts rows with their hashes.
class RowWriter {
 public:
  RowWriter(const SQLite::Database& database, const StoreTable& table, std::string_view verb = "INSERT");

  /// The hash of the row; empty where `verb` has ignored it.
  std::optional<ContentHash> write(const SweepRow& row);
  std::optional<ContentHash> write(const PlanRow& row);
  std::optional<ContentHash> write(const PublishedPointsRow& row);
  std::optional<ContentHash> write(const ShardRow& row);
  std::optional<ContentHash> write(const StoredPoint& point);
  std::optional<ContentHash> write(const FinishedRow& row);

 private:
  std::optional<ContentHash> write(std::span<const StoredValue> values);

  StoreTable table_;
  SQLite::Statement statement_;
};

}  // namespace orderlab
