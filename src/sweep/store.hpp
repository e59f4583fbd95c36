// A store: one SQLite file with the finished points of a sweep. Its schema is in store_schema.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/shard.hpp"
#include "orderlab/error.hpp"
#include "sweep/content_hash.hpp"
#include "sweep/provenance.hpp"
#include "sweep/sweep_plan.hpp"

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
  std::string published;       ///< published_text
  std::vector<Shard> shards;   ///< that were run on it, each once; a run of all points is none
  std::uint64_t points = 0;    ///< planned
  std::uint64_t finished = 0;  ///< planned points that are finished
};

/// A place in the plan.
struct StoredPlace {
  std::uint64_t position = 0;
  std::string point;  ///< its hash
  std::string order_text;
  std::string arrival_text;
  bool finished = false;
};

/// A point in its place.
struct StoredRow {
  std::uint64_t position = 0;
  std::string order_text;
  std::string arrival_text;
  StoredPoint point;
};

/// Every call that writes is one transaction, durable when it returns (WAL, synchronous=FULL), or has changed nothing.
/// A store opened for reading shows its state at that time, even if others add to it. One thread at a time.
///
/// Every row has a hash, and all of them are checked when the store is opened: what is read is what was written, or
/// refused.
///
/// Errors: input, "FILE: ...": locked, damaged, of another version, no database, another program's database, a full
/// disk. The file is not touched by what it refuses.
class Store {
 public:
  /// `read`: nothing is written, and a damaged store is refused. `points`: the same, but the plan is neither read nor
  /// checked: sweep() counts none, and neither for_each_row nor for_each_place is to be called. `write`: of a damaged
  /// one the intact points are there, until prepare() has removed the others. `create`: as `write`, and makes a file
  /// that is not there.
  enum class Access { read, points, write, create };

  Store(const std::string& path, Access access);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Whether the file is a store with a sweep: not if it is not there, is empty, or its program was killed before it
  /// had written a plan. Errors: those of a store that is read.
  static bool begun(const std::string& path);

  const std::string& path() const { return path_; }

  /// What is not as it was written, in words: "is damaged: point 3 (...)"; empty for an intact store.
  std::string damage() const;

  /// Error(input) for a damaged store.
  void require_intact() const;

  /// To be called before anything is added: removes what is damaged, so that a sweep computes it again. A damaged plan
  /// goes too; set_plan writes it again.
  ///
  /// Error(input): damaged in a way that SQLite cannot mend.
  void prepare();

  /// Makes this the sweep of the store, of which the shard is run on it. Nothing is written where it is so already; no
  /// finished point is ever dropped.
  void set_plan(const SweepPlan& plan, const Shard& shard = {});

  /// Takes over the plan of another store, without its shards. A store without a sweep has no plan.
  void copy_plan(const Store& other);

  /// Whether it has a sweep: not if the program was killed before it was told of one.
  bool planned() const;

  /// Error(input) for a store without one.
  StoredSweep sweep() const;

  /// The same; Error(input) where none of its points is finished.
  StoredSweep sweep_with_points() const;

  /// Whether a point was finished when the store was opened, or has been added since.
  bool has(const ContentHash& point) const;

  /// Points that were there when the store was opened, damaged ones and those of other sweeps included.
  std::size_t stored() const;

  /// Adds points; one that is there already stays as it is.
  void add(std::span<const StoredPoint> points);

  /// The same, but false, with nothing changed, where another program holds the store for two seconds.
  bool add_unless_locked(std::span<const StoredPoint> points);

  /// The finished points of the plan in its order.
  void for_each_row(const std::function<void(const StoredRow&)>& take) const;

  /// The plan in its order, with points that are not finished.
  void for_each_place(const std::function<void(const StoredPlace&)>& take) const;

  /// What to throw for a row whose texts are not what a sweep writes.
  Error damaged(const StoredRow& row, const std::exception& why) const;

  /// All finished points, in the order in which they were added.
  void for_each_point(const std::function<void(const StoredPoint&)>& take) const;

 private:
  struct Connection;
  void open(Access access);
  void insert(std::span<const StoredPoint> points);
  template <class Work>
  auto guarded(Work work) const;

  std::string path_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace orderlab
