#include "sweep/merge.hpp"

#include <optional>
#include <tuple>
#include <utility>

#include "orderlab/error.hpp"
#include "sweep/different_files.hpp"
#include "sweep/merge_agreement.hpp"
#include "sweep/store.hpp"

namespace orderlab {

namespace {

// A disk needs milliseconds to make a transaction durable, whatever is in it.
constexpr std::size_t kMostTogether = 4096;
constexpr std::size_t kMostBytes = 64 << 20;

/// Adds points to a store, many at a time.
class Batch {
 public:
  explicit Batch(Store& to) : to_(to) {}

  void add(const StoredPoint& point) {
    points_.push_back(point);
    for (const std::string* text : {&point.config, &point.terms, &point.summation, &point.metrics, &point.counts})
      bytes_ += text->size();
    if (points_.size() == kMostTogether || bytes_ > kMostBytes) flush();
  }

  void flush() {
    if (!points_.empty()) to_.add(points_);
    added_ += points_.size();
    points_.clear();
    bytes_ = 0;
  }

  std::size_t added() const { return added_; }

 private:
  Store& to_;
  std::vector<StoredPoint> points_;
  std::size_t bytes_ = 0;
  std::size_t added_ = 0;
};

// Titles and published points may differ where the points do not: the least is the same for any order of the stores.
auto words_of(const StoredSweep& sweep) { return std::tuple(sweep.title, sweep.question, sweep.published); }

class Merge {
 public:
  Merge(const std::string& to, std::span<const std::string> from, const MergeOptions& options)
      : to_(to), from_(from), options_(options) {}

  MergeOutcome run() {
    for (const std::string& path : from_) {
      if (stopped()) return outcome_;
      check(path);
      advance();
    }
    if (!plan_path_) throw Error(ErrorKind::input, from_[0] + ": no store that is named has a sweep yet");
    Store store(to_, Store::Access::create);
    store.require_intact();
    if (store.planned()) {
      agreement_.check(store);
      note_runs(store.sweep(), to_);
    }
    store.prepare();
    if (!store.planned()) copy_plan(store);
    add_all(store);
    const StoredSweep sweep = store.sweep();
    outcome_.planned = sweep.points;
    outcome_.stored = sweep.finished;
    return outcome_;
  }

 private:
  bool stopped() {
    outcome_.stopped = options_.stop.stop_requested();
    return outcome_.stopped;
  }

  void advance() {
    ++done_;
    if (options_.progress) options_.progress(done_, 2 * from_.size());
  }

  void check(const std::string& path) {
    if (options_.allow_absent && !Store::begun(path)) {
      outcome_.absent.push_back(path);
      return;
    }
    const Store store(path, Store::Access::read);
    const StoredSweep sweep = store.sweep();
    agreement_.check(store);
    note_runs(sweep, path);
    if (plan_path_ && words_of(plan_) <= words_of(sweep)) return;
    plan_path_ = path;
    plan_ = sweep;
  }

  void note_runs(const StoredSweep& sweep, const std::string& path) {
    for (const Shard& shard : sweep.shards) outcome_.runs.push_back({shard, path});
  }

  void copy_plan(Store& store) {
    const Store first(*plan_path_, Store::Access::read);
    agreement_.require_plan(first);
    store.copy_plan(first);
  }

  void add_all(Store& store) {
    Batch batch(store);
    for (const std::string& path : from_) {
      if (stopped()) break;
      if (agreement_.has(path)) add(path, store, batch);
      advance();
    }
    batch.flush();
    if (!outcome_.stopped) agreement_.require_all(store);
    outcome_.added = batch.added();
  }

  void add(const std::string& path, const Store& store, Batch& batch) {
    const Store from(path, Store::Access::points);
    agreement_.require_plan(from);
    from.for_each_point([&](const StoredPoint& point) {
      if (!agreement_.is_from(from, point)) return;  // or it was finished since
      if (const auto hash = ContentHash::from_text(point.hash); !hash || !store.has(*hash)) batch.add(point);
    });
  }

  const std::string& to_;
  std::span<const std::string> from_;
  const MergeOptions& options_;
  Agreement agreement_;
  std::optional<std::string> plan_path_;
  StoredSweep plan_;
  MergeOutcome outcome_;
  std::uint64_t done_ = 0;
};

}  // namespace

MergeOutcome merge_stores(const std::string& to, std::span<const std::string> from, const MergeOptions& options) {
  require_different(to, from, {"store", "--db"});
  return Merge(to, from, options).run();
}

}  // namespace orderlab
