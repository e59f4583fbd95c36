#include "sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "core/text.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "sweep/point_estimate.hpp"
#include "sweep/point_run.hpp"
#include "sweep/store_writer.hpp"

namespace orderlab {

namespace {

/// A point to be run, and what it is expected to take.
struct Task {
  std::size_t point;  ///< in the plan
  PointEstimate estimate;
};

class Sweep {
 public:
  Sweep(const SweepPlan& plan, Store& store, const SweepOptions& options)
      : plan_(plan), options_(options), made_by_(provenance()), writer_(store, stop_) {}

  SweepOutcome run(const Store& store) {
    SweepOutcome outcome;
    choose(store, outcome);
    const std::stop_callback forward(options_.stop, [this] { stop_.request_stop(); });
    run_task_list(tasks_.size(), options_.threads, at_once_, [this](std::size_t i) { run_task(tasks_[i]); });
    writer_.finish();
    outcome.added = progress_.points_done;
    outcome.stopped = outcome.added < tasks_.size();
    return outcome;
  }

 private:
  void choose(const Store& store, SweepOutcome& outcome) {
    const int threads = threads_used(options_.threads);
    for (std::size_t i = options_.shard.number - 1; i < plan_.points.size(); i += options_.shard.count) {
      ++outcome.planned;
      if (store.has(plan_.points.hash(i))) {
        ++outcome.there;
        continue;
      }
      const SweepPoint point = plan_.points[i];
      tasks_.push_back({i, estimate(point, threads)});
      progress_.samples += point.draws();
      seconds_ += tasks_.back().estimate.core_seconds;
    }
    std::stable_sort(tasks_.begin(), tasks_.end(),
                     [](const Task& a, const Task& b) { return a.estimate.core_seconds > b.estimate.core_seconds; });
    progress_.points = tasks_.size();
    at_once_ = at_once(threads);
  }

  // The number of points that fit into memory even if the largest ones run at the same time.
  std::size_t at_once(int threads) const {
    double most = 1;
    for (const Task& task : tasks_) {
      most = std::max(most, task.estimate.memory_bytes);
      if (task.estimate.memory_bytes > options_.memory_bytes)
        throw Error(ErrorKind::unsupported, "point " + plan_.points[task.point].config_text() + ": needs " +
                                                bytes_in_words(task.estimate.memory_bytes) + " of memory and " +
                                                bytes_in_words(options_.memory_bytes) +
                                                " are free; fewer terms or fewer --threads need less");
    }
    return static_cast<std::size_t>(std::min(options_.memory_bytes / most, static_cast<double>(threads)));
  }

  void run_task(const Task& task) {
    if (stop_.stop_requested()) return;
    PointRunOptions options;
    options.memory_bytes = options_.memory_bytes / static_cast<double>(2 * at_once_);
    options.stop = stop_.get_token();
    std::uint64_t before = 0;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
      const double part = static_cast<double>(done - before) / static_cast<double>(total);
      advance(0, std::exchange(before, done), done, part * task.estimate.core_seconds);
    };
    const StopScope scope(options.stop);
    std::optional<StoredPoint> stored = run_point(plan_.points[task.point], made_by_, options);
    if (!stored) return;
    writer_.add(*std::move(stored));
    advance(1, 0, 0, 0);
  }

  void advance(std::size_t points, std::uint64_t samples_before, std::uint64_t samples_now, double seconds) {
    const std::lock_guard lock(mutex_);
    progress_.points_done += points;
    progress_.samples_done += samples_now - samples_before;
    seconds_done_ += seconds;
    progress_.fraction = std::min(1.0, seconds_done_ / seconds_);
    if (options_.progress) options_.progress(progress_);
  }

  const SweepPlan& plan_;
  const SweepOptions& options_;
  Provenance made_by_;
  std::vector<Task> tasks_;
  std::stop_source stop_;
  std::mutex mutex_;
  SweepProgress progress_;
  std::size_t at_once_ = 1;
  double seconds_ = 0;
  double seconds_done_ = 0;
  StoreWriter writer_;
};

// Its points would stay, but no view or report would show them again.
void refuse_another_sweep(const SweepPlan& plan, const Store& store) {
  const std::size_t stored = store.stored();
  if (stored == 0 || !store.planned()) return;
  for (std::size_t i = 0; i < plan.points.size(); ++i)
    if (store.has(plan.points.hash(i))) return;
  const StoredSweep there = store.sweep();
  if (there.plan_hash == plan_hash(plan).text()) return;
  throw Error(ErrorKind::input, store.path() + ": has " + std::to_string(stored) +
                                    (stored == 1 ? " point" : " points") + " of another sweep" +
                                    (there.title.empty() ? "" : " (" + there.title + ")") +
                                    ", none of which this config has; give a new name");
}

}  // namespace

SweepOutcome run_sweep(const SweepPlan& plan, Store& store, const SweepOptions& options) {
  refuse_another_sweep(plan, store);
  const std::string damage = store.damage();
  if (options.notice && !damage.empty())
    options.notice(store.path() + ": " + damage + "; that is removed, and computed again where the config has it");
  store.prepare();
  store.set_plan(plan, options.shard);
  return Sweep(plan, store, options).run(store);
}

}  // namespace orderlab
