#include "orderlab/study/arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "engine/rounds.hpp"
#include "fit/row_roles.hpp"
#include "metrics/statistics.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "study/arrivals_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

constexpr std::size_t kLeastReferenceRuns = 8;  // fewer say nothing of errors
constexpr double kMostLagProducts = 1e9;        // a second of work for the correlations by lag
constexpr std::size_t kMostShownBlocks = 4000;  // of the first wave

using Runs = std::vector<const std::vector<std::uint32_t>*>;

/// The rows that take part.
Runs usable_runs(const ArrivalSource& source, std::uint64_t blocks, bool first, ArrivalsColumn& column) {
  const Rows& recording = *source.recording;
  if (recording.rows.front().size() != blocks)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: arrival orders of {} thread blocks, and {} are asked for; give recordings and --blocks "
                    "of one launch",
                    recording.path, recording.rows.front().size(), blocks));
  column.outliers = outlier_rows(recording);
  Runs runs;
  for (const std::size_t i : rows_without(column.outliers, recording)) runs.push_back(&recording.rows[i]);
  const std::size_t least = first ? kLeastReferenceRuns : 2;
  if (runs.size() < least)
    throw Error(ErrorKind::input, fmt::format("{}: {} rows, {} of them outliers; {} others or more are needed{}",
                                              recording.path, recording.rows.size(), column.outliers.size(), least,
                                              first ? ", for standard errors" : ""));
  return runs;
}

/// How many lags to show: three rows of multiprocessors, where that is no long work.
std::size_t shown_lags(const ArrivalsRequest& request, std::size_t runs) {
  const std::uint64_t blocks = *request.blocks;
  const double products = static_cast<double>(runs) * static_cast<double>(blocks);
  const auto quick = static_cast<std::uint64_t>(std::max(1.0, kMostLagProducts / products));
  return static_cast<std::size_t>(std::min({3 * *request.sms, blocks / 4, quick}));
}

std::vector<std::int64_t> first_wave_of(const std::vector<std::uint32_t>& order, std::uint64_t first_wave) {
  const std::size_t shown = std::min({order.size(), static_cast<std::size_t>(first_wave), kMostShownBlocks});
  std::vector<std::int64_t> displacements(shown);
  for (std::size_t t = 0; t < order.size(); ++t)
    if (order[t] < shown) displacements[order[t]] = static_cast<std::int64_t>(t) - std::int64_t{order[t]};
  return displacements;
}

void require_distinct(const std::vector<ArrivalSource>& sources) {
  if (sources.empty())
    throw Error(ErrorKind::usage, "no arrival orders: give a FILE of recorded ones, or a MODEL such as v100_b64");
  std::set<std::string> names;
  for (const ArrivalSource& source : sources)
    if (!names.insert(source.name).second)
      throw Error(ErrorKind::usage, source.name + ": is given twice; give each once");
}

void check_sources(const std::vector<ArrivalSource>& sources, std::uint64_t blocks) {
  if (blocks < kLeastFeatureBlocks)
    throw Error(ErrorKind::input, fmt::format("{}: arrival orders of {} thread blocks; features take {} or more",
                                              sources.front().name, blocks, kLeastFeatureBlocks));
  for (const ArrivalSource& source : sources) {
    if (source.recording)
      check_recording(*source.recording);
    else
      source.model->model->check(*source.model->arguments, blocks);
  }
}

/// A number of the first wave: as asked for, as the recording says, or a default.
SaidBy find_out(const Flag& flag, std::optional<std::uint64_t>& asked, const ArrivalSource* recording,
                std::uint64_t FirstWave::*number) {
  if (asked) return SaidBy::request;
  asked = recording == nullptr ? FirstWave{}.*number : *recording->first_wave.*number;
  if (recording == nullptr) return SaidBy::nobody;
  if (const std::string problem = problem_with(flag, static_cast<double>(*asked)); !problem.empty())
    throw Error(ErrorKind::input, fmt::format("{}: {} {}: {}; give {} N of the GPU", recording->name, flag.key, *asked,
                                              problem, flag.long_name()));
  return SaidBy::recording;
}

void find_first_wave(const std::vector<ArrivalSource>& sources, ArrivalsFinding& finding) {
  const auto found = std::find_if(sources.begin(), sources.end(),
                                  [](const ArrivalSource& source) { return source.first_wave.has_value(); });
  const ArrivalSource* const recording = found == sources.end() ? nullptr : &*found;
  if (recording != nullptr) finding.first_wave_of = recording->name;
  finding.sms_by = find_out(kSms, finding.request.sms, recording, &FirstWave::sms);
  finding.resident_by = find_out(kResident, finding.request.resident, recording, &FirstWave::resident);
}

ArrivalsReference reference_of(const std::string& name, const RecordedArrivals& recorded) {
  ArrivalsReference reference;
  reference.name = name;
  reference.errors = recorded.errors;
  reference.halves = recorded.halves;
  reference.block_length = recorded.block_length;
  reference.replicates = recorded.replicates.size();
  if (recorded.floor.empty()) return reference;
  reference.floor_median = quantile(recorded.floor, 0.5);
  reference.floor_95 = quantile(recorded.floor, 0.95);
  return reference;
}

/// Columns in turn, the first recording among them before all others need it.
class Columns {
 public:
  Columns(ArrivalsFinding& finding, const Watch& watch) : finding_(finding), watch_(watch) {}

  void add(const ArrivalSource& source) {
    ArrivalsColumn column;
    column.name = source.name;
    const ArrivalsRequest& request = finding_.request;
    std::vector<std::vector<std::uint32_t>> drawn;
    Runs runs;
    const bool first = source.recording && !recorded_;
    if (source.recording) {
      column.hash = source.recording->hash;
      runs = usable_runs(source, *request.blocks, first, column);
    } else {
      column.arrival = to_string(*source.model);
      drawn = drawn_orders(*source.model, *request.blocks, request, watch_);
      for (const std::vector<std::uint32_t>& order : drawn) runs.push_back(&order);
    }
    column.runs = runs.size();
    column.first_wave = source.first_wave;
    const WatchedStage stage(watch_, "features, " + source.name);
    FeatureOptions how{.wave = {.sms = *request.sms, .resident = *request.resident}, .threads = request.threads};
    stage.follow(how);
    if (first) {
      recorded_ = recorded_arrivals(runs, request.seed, how);
      finding_.reference = reference_of(source.name, *recorded_);
      column.features = recorded_->features;
    } else {
      column.features = arrival_features(runs, how);
    }
    column.correlations = correlations_by_lag(runs, shown_lags(request, runs.size()), how);
    column.displacements = first_wave_of(*runs.front(), how.wave.blocks());
    finding_.columns.push_back(std::move(column));
  }

  /// Misfits of all to the first recording.
  void compare() {
    if (!recorded_) return;
    for (ArrivalsColumn& column : finding_.columns) {
      if (column.name == finding_.reference->name) continue;
      column.differences = standardised(column.features, *recorded_, column.runs);
      column.misfit = misfit(column.differences);
    }
  }

 private:
  ArrivalsFinding& finding_;
  const Watch& watch_;
  std::optional<RecordedArrivals> recorded_;
};

}  // namespace

std::uint64_t blocks_of(const std::vector<ArrivalSource>& sources, const ArrivalsRequest& request) {
  if (request.blocks) return *request.blocks;
  for (const ArrivalSource& source : sources)
    if (source.recording && !source.recording->rows.empty()) return source.recording->rows.front().size();
  for (const ArrivalSource& source : sources)
    if (source.model && source.model->named != nullptr && source.model->named->thread_blocks > 0)
      return source.model->named->thread_blocks;
  throw Error(ErrorKind::usage, "no number of thread blocks: give --blocks B, as `" +
                                    (sources.empty() ? std::string("the model") : sources.front().name) +
                                    "` does not say how many there are");
}

std::vector<std::vector<std::uint32_t>> drawn_orders(const ArrivalCall& model, std::uint64_t blocks,
                                                     const ArrivalsRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  model.model->check(*model.arguments, blocks);
  constexpr double kBytesEach =
      sizeof(std::uint32_t) + sizeof(std::int32_t);  // an order, and its displacements or file
  require_memory(kBytesEach * static_cast<double>(blocks) * static_cast<double>(request.draws));
  const WatchedStage stage(watch, "drawing, " + to_string(model));
  SampleOptions how{.begin = 0, .end = request.draws, .threads = request.threads};
  stage.follow(how);
  std::vector<std::vector<std::uint32_t>> orders(request.draws);
  each_in_rounds(how, [&](std::uint64_t i) {
    orders[i].resize(blocks);
    model.model->draw(*model.arguments, RandomStream(request.seed, streams::kFirstStage, i), orders[i]);
  });
  if (how.stop.stop_requested()) throw Stopped{};
  return orders;
}

ArrivalsFinding arrivals(const std::vector<ArrivalSource>& sources, const ArrivalsRequest& request,
                         const Watch& watch) {
  const FloatEnvironment environment;
  kArrivalsOptions.check(request);
  require_distinct(sources);
  ArrivalsFinding finding;
  finding.request = request;
  finding.sources = sources.size();
  finding.request.blocks = blocks_of(sources, request);
  find_first_wave(sources, finding);
  check_sources(sources, *finding.request.blocks);
  Columns columns(finding, watch);
  try {
    for (const ArrivalSource& source : sources) columns.add(source);
  } catch (const Stopped&) {
    if (!watch.stop.stop_requested()) throw;  // by another token than this call knows
  }
  columns.compare();
  return finding;
}

}  // namespace orderlab::study
