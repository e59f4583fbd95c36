// The content of a store, found by reading all of it: intact points and damaged ones.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sweep/store.hpp"
#include "sweep/stored_row.hpp"

namespace orderlab {

/// How much of the damage is told in one line.
inline constexpr std::size_t kMostNamed = 3;

struct StoreContent {
  /// Rows of `point` that are intact.
  std::unordered_map<ContentHash, std::int64_t, ContentHash::Key> rowids;
  FinishedRow finished;  ///< number and hashes of these rows
  std::size_t rows = 0;  ///< damaged ones included

  /// Where the point with this hash is; empty for one that is not finished.
  std::optional<std::int64_t> rowid(const std::string& hash_text) const;

  bool planned = false;
  bool plan_intact = true;  ///< `sweep` and `plan`, each row and as a whole
  StoredSweep sweep;        ///< points and finished counted

  /// In words, what is not as it was written: "point 3 (8 terms of uniform(0,10), fp64, random)".
  std::vector<std::string> damage;
};

/// Reads everything, in one pass over each table. Whatever a store gives out later is in this: an export is a function
/// of rows whose hashes hold, of a plan whose hash holds, and of a set of points that is complete by `finished`.
/// Without the plan, points and finished of the sweep are not counted.
StoreContent read_content(const SQLite::Database& database, bool with_plan = true);

}  // namespace orderlab
