#include "experiment/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "engine/task_list.hpp"
#include "experiment/counts_blob.hpp"
#include "experiment/input_json.hpp"
#include "experiment/point_estimate.hpp"
#include "experiment/store_writer.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

/// A point to be run, and what it is expected to take.
struct Task {
  const SweepPoint* point;
  PointEstimate estimate;
};

std::uint64_t samples_of(const SweepPoint& point) { return point.order->random() ? point.samples : 1; }

class Sweep {
 public:
  Sweep(const SweepPlan& plan, Store& store, const SweepOptions& options)
      : plan_(plan), options_(options), made_by_(provenance()), writer_(store, [this] { stop_.request_stop(); }) {}

  SweepOutcome run(const std::unordered_set<std::string>& finished) {
    SweepOutcome outcome;
    choose(finished, outcome);
    const std::stop_callback forward(options_.stop, [this] { stop_.request_stop(); });
    run_task_list(tasks_.size(), options_.threads, at_once(), [this](std::size_t i) { run_task(tasks_[i]); });
    writer_.finish();
    outcome.added = progress_.points_done;
    outcome.stopped = outcome.added < tasks_.size();
    return outcome;
  }

 private:
  void choose(const std::unordered_set<std::string>& finished, SweepOutcome& outcome) {
    const int threads = options_.threads > 0 ? options_.threads : static_cast<int>(std::thread::hardware_concurrency());
    for (std::size_t i = options_.shard.number - 1; i < plan_.points.size(); i += options_.shard.count) {
      const SweepPoint& point = plan_.points[i];
      ++outcome.planned;
      if (finished.contains(point.hash)) {
        ++outcome.there;
        continue;
      }
      tasks_.push_back({&point, estimate(point, threads)});
      progress_.samples += samples_of(point);
      seconds_ += tasks_.back().estimate.core_seconds;
    }
    std::stable_sort(tasks_.begin(), tasks_.end(),
                     [](const Task& a, const Task& b) { return a.estimate.core_seconds > b.estimate.core_seconds; });
    progress_.points = tasks_.size();
  }

  // As many as fit into the memory, even if the largest ones meet.
  std::size_t at_once() const {
    double most = 1;
    for (const Task& task : tasks_) {
      most = std::max(most, task.estimate.memory_bytes);
      if (task.estimate.memory_bytes > options_.memory_bytes)
        throw Error(ErrorKind::unsupported, "point " + task.point->config + ": needs " +
                                                bytes_in_words(task.estimate.memory_bytes) + " of memory and " +
                                                bytes_in_words(options_.memory_bytes) +
                                                " are free; fewer terms or fewer --threads need less");
    }
    constexpr double kMost = 1e6;  // more than any machine has threads
    return static_cast<std::size_t>(std::min(options_.memory_bytes / most, kMost));
  }

  void run_task(const Task& task) {
    if (stop_.stop_requested()) return;
    const auto start = std::chrono::steady_clock::now();
    const SweepPoint& point = *task.point;
    Input input{generate_terms(point.input.distribution, point.input.n, point.input.formats.terms,
                               point.input.input_seed, point.input.input_number),
                point.input};
    describe(input);
    SampleOptions sampling;
    sampling.end = point.samples;
    sampling.threads = kLoopThreads;
    sampling.stop = stop_.get_token();
    std::uint64_t before = 0;
    sampling.progress = [&](std::uint64_t done, std::uint64_t total) {
      const double part = static_cast<double>(done - before) / static_cast<double>(total);
      advance(0, std::exchange(before, done), done, part * task.estimate.core_seconds);
    };
    const OrderRun run{*point.order, point.baseline.get(), point.seed, point.samples, point.max_distinct};
    const OrderReport report = run_order(run, input, sampling);
    if (report.counts.samples() < samples_of(point)) return;  // stopped
    StoredPoint stored = to_stored(point, input, report);
    stored.wall_ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    writer_.add(std::move(stored));
    advance(1, 0, 0, 0);
  }

  StoredPoint to_stored(const SweepPoint& point, const Input& input, const OrderReport& report) const {
    StoredPoint stored;
    stored.hash = point.hash;
    stored.config = point.config;
    stored.terms = input_json(input.report).dump();
    OrderReport unnamed = report;
    unnamed.name.clear();  // a name is the plan's; other configs may write the same order in another way
    stored.summation = sampled_order_json(unnamed).dump();
    nlohmann::ordered_json metrics{{"samples", report.counts.samples()}};
    for (const auto& [name, value] : report.metrics.fields()) metrics[name] = json_of(value);
    stored.metrics = metrics.dump();
    stored.counts = to_blob(report.counts);
    stored.made_by = made_by_;
    return stored;
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
  double seconds_ = 0;
  double seconds_done_ = 0;
  StoreWriter writer_;
};

}  // namespace

SweepOutcome run_sweep(const SweepPlan& plan, Store& store, const SweepOptions& options) {
  store.set_plan(plan);
  return Sweep(plan, store, options).run(store.finished());
}

}  // namespace orderlab
