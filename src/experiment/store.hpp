// A store: one SQLite file with the finished points of a sweep. Its schema is in store_schema.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "experiment/provenance.hpp"
#include "experiment/sweep_plan.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

/// A finished point, as its row has it.
struct StoredPoint {
  std::string hash;
  std::string config;
  std::string terms;
  std::string summation;
  std::string metrics;
  std::string counts;
  Provenance made_by;
  std::int64_t wall_ns = 0;
};

/// What a store says of the sweep that was last run on it.
struct StoredSweep {
  std::string title;
  std::string question;
  std::string plan_hash;
  std::uint64_t points = 0;    ///< planned
  std::uint64_t finished = 0;  ///< of these
};

/// A point in its place.
struct StoredRow {
  std::uint64_t position = 0;
  std::string order_text;
  std::string arrival_text;
  StoredPoint point;
};

/// Every call is one transaction, durable when it returns (WAL, synchronous=FULL), or has changed nothing. One thread
/// at a time.
///
/// Errors: input, "FILE: ...": locked, damaged, written by a newer orderlab, no database, another program's database,
/// a full disk. The file is not touched by what it refuses.
class Store {
 public:
  enum class Access { read, write, create };  ///< `create`: as `write`, and makes a file that is not there

  Store(const std::string& path, Access access);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::string& path() const { return path_; }

  /// Makes this the sweep of the store. Nothing is written where it is so already; no finished point is ever dropped.
  void set_plan(const SweepPlan& plan);

  /// The plan of another store; that of a store without a sweep is none.
  void copy_plan(const Store& other);

  /// Whether it has a sweep: not if the program was killed before it was told of one.
  bool planned() const;

  /// Error(input) for a store without one.
  StoredSweep sweep() const;

  /// The same; Error(input) where none of its points is finished.
  StoredSweep sweep_with_points() const;

  std::unordered_set<std::string> finished() const;

  /// Adds points; one that is there already stays as it is.
  void add(std::span<const StoredPoint> points);

  /// The same, but false, with nothing changed, where another program holds the store for two seconds.
  bool add_unless_locked(std::span<const StoredPoint> points);

  /// The finished points of the plan in its order.
  void for_each_row(const std::function<void(const StoredRow&)>& take) const;

  /// What to throw for a row whose texts are not what a sweep writes.
  Error damaged(const StoredRow& row, const std::exception& why) const;

  /// All finished points, by hash.
  void for_each_point(const std::function<void(const StoredPoint&)>& take) const;

 private:
  struct Connection;
  void open(Access access);
  bool is_blank() const;
  void check() const;
  void create_schema();
  void insert(std::span<const StoredPoint> points);
  template <class Work>
  auto guarded(Work work) const;

  std::string path_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace orderlab
