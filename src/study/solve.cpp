#include "orderlab/study/solve.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include "core/float_environment.hpp"
#include "core/shard.hpp"
#include "core/text.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "study/solve_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

constexpr double kThresholds[] = {1e-12, 1e-8, 1e-4};

// Added in ascending order: the mean of equal numbers is the same, whichever runs they are of.
RunSummary ascending_summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return summary_of_runs(std::move(values));
}

template <class Number>
RunSummary summary_over(const std::vector<SolveRecord>& runs, Number number) {
  std::vector<double> values;
  for (const SolveRecord& run : runs) values.push_back(number(run));
  return ascending_summary(std::move(values));
}

std::optional<double> residual_at(const SolveRecord& run, std::uint64_t iteration) {
  if (iteration >= run.residuals.size()) return std::nullopt;
  return run.residuals[iteration];
}

/// The runs at an iteration; `checkpoint` is its number among the checkpoints, from 0, where it is one.
DivergencePoint divergence_at(const SolveFinding& finding, std::uint64_t iteration,
                              std::optional<std::size_t> checkpoint) {
  DivergencePoint point;
  point.iteration = iteration;
  std::vector<double> residuals;
  std::vector<double> distances;
  for (const SolveRecord& run : finding.runs) {
    if (const auto residual = residual_at(run, iteration)) residuals.push_back(*residual);
    if (checkpoint && *checkpoint < run.distances.size()) distances.push_back(run.distances[*checkpoint]);
  }
  point.runs = residuals.size();
  point.residual = ascending_summary(std::move(residuals));
  point.launch = residual_at(finding.launch, iteration);
  if (finding.exact) point.exact = residual_at(*finding.exact, iteration);
  if (!distances.empty()) point.iterate = ascending_summary(std::move(distances));
  return point;
}

std::vector<DivergencePoint> divergence_of(const SolveFinding& finding) {
  const auto by_iterations = [](const SolveRecord& a, const SolveRecord& b) { return a.iterations() < b.iterations(); };
  const auto [shortest_run, longest_run] = std::minmax_element(finding.runs.begin(), finding.runs.end(), by_iterations);
  const std::uint64_t common = shortest_run->iterations();
  const std::uint64_t last = longest_run->iterations();
  std::vector<DivergencePoint> points;
  std::size_t checkpoint = 0;
  for (std::uint64_t k = 1; k <= last; ++k) {
    if (is_checkpoint(k))
      points.push_back(divergence_at(finding, k, checkpoint++));
    else if (k == common)
      points.push_back(divergence_at(finding, k, std::nullopt));
  }
  return points;
}

std::optional<std::uint64_t> first_difference(const SolveRecord& run, const SolveRecord& launch, double threshold) {
  const std::size_t both = std::min(run.residuals.size(), launch.residuals.size());
  for (std::size_t k = 0; k < both; ++k)
    if (std::fabs(run.residuals[k] - launch.residuals[k]) > threshold * launch.residuals[k]) return k;
  return std::nullopt;
}

std::vector<FirstDifference> first_differences_of(const SolveFinding& finding) {
  std::vector<FirstDifference> result;
  for (const double threshold : kThresholds) {
    std::vector<double> iterations;
    for (const SolveRecord& run : finding.runs)
      if (const auto k = first_difference(run, finding.launch, threshold))
        iterations.push_back(static_cast<double>(*k));
    FirstDifference first{threshold, iterations.size(), std::nullopt};
    if (!iterations.empty()) first.iteration = ascending_summary(std::move(iterations));
    result.push_back(std::move(first));
  }
  return result;
}

void count_runs(SolveFinding& finding) {
  std::map<std::uint64_t, std::uint64_t> counts;
  std::set<std::string> solutions;
  for (std::size_t sample = 0; sample < finding.runs.size(); ++sample) {
    const SolveRecord& run = finding.runs[sample];
    solutions.insert(run.solution_hash);
    if (run.converged())
      ++counts[run.iterations()];
    else
      finding.not_converged.push_back(sample);
    finding.breakdowns += run.end == SolveEnd::breakdown ? 1U : 0U;
  }
  for (const auto& [value, count] : counts) finding.iterations.push_back({value, count});
  finding.distinct_solutions = solutions.size();
}

void measure(SolveFinding& finding) {
  count_runs(finding);
  finding.divergence = divergence_of(finding);
  finding.first_differences = first_differences_of(finding);
  finding.recursive_residual = summary_over(finding.runs, [](const SolveRecord& r) { return r.residuals.back(); });
  finding.true_residual = summary_over(finding.runs, [](const SolveRecord& r) { return r.true_residual; });
  finding.solution_distance = summary_over(finding.runs, [](const SolveRecord& r) { return r.solution_distance; });
}

/// Runs of a part: its samples, the run in launch order, which every part compares with, and in the first part that
/// with exact sums.
std::vector<std::uint64_t> runs_of(const SolveRequest& request, const Shard& part) {
  std::vector<std::uint64_t> runs{kLaunchRun};
  if (part.number == 1) runs.push_back(kExactRun);
  const auto [first, end] = range_of(part, request.samples);
  for (std::uint64_t sample = first; sample < end; ++sample) runs.push_back(sample);
  return runs;
}

/// Makes the runs that `all` has not and adds them, as far as no stop is requested.
void make_missing(const SolveInput& input, const SolveRequest& request, const std::vector<std::uint64_t>& wanted,
                  const Watch& watch, const SolveRecords& records, std::map<std::uint64_t, SolveRecord>& all) {
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t run : wanted)
    if (!all.contains(run)) missing.push_back(run);
  if (missing.empty() || watch.stop.stop_requested()) return;
  std::mutex guard;
  const auto take = [&](std::uint64_t run, SolveRecord record) {
    const std::lock_guard lock(guard);
    if (all.contains(run)) return;
    if (records.record_done) records.record_done(run, record);
    all.emplace(run, std::move(record));
  };
  const auto sampler = [&] {
    const WatchedWork work(watch, "launch order");
    return SolveSampler::make(input, request, watch.stop);
  }();
  if (!sampler) return;
  take(kLaunchRun, sampler->launch());
  std::erase(missing, kLaunchRun);
  const WatchedStage stage(watch, "solving");
  ProgramSamples what{.samples = missing.size(), .threads = request.threads};
  stage.follow(what);
  run_samples(what, [&](const ProgramRun& place) {
    const std::uint64_t run = missing[place.sample()];
    auto record = run == kExactRun ? sampler->record(0, Reductions::exact, watch.stop)
                                   : sampler->record(run, Reductions::drawn, watch.stop);
    if (record) take(run, *std::move(record));
  });
}

}  // namespace

double tolerance_of(const SolveRequest& request) {
  const FloatEnvironment environment;
  return request.tolerance.value_or(request.format == Format::fp64 ? 1e-8 : 1e-5);
}

void validate(const SolveRequest& request) {
  const FloatEnvironment environment;
  kSolveOptions.check(request);
  find_solver(request.solver);
  if (request.format != Format::fp64 && request.format != Format::fp32)
    throw RequestError("format", std::string(info(request.format).name), "solvers compute in fp64 or fp32");
  if (request.spmv == RowSums::coo && request.row_order)
    throw RequestError("row_order", request.row_order->expression(),
                       "coo adds by atomics, in arrival order; use `spmv` rows");
}

SolveSettings settings_of(const SolveRequest& request) {
  const FloatEnvironment environment;
  SolveSettings settings;
  settings.solver = request.solver;
  settings.order_name = request.order.name();
  settings.order = request.order.expression();
  settings.spmv = request.spmv;
  if (request.row_order) settings.row_order = request.row_order->expression();
  settings.arrival = to_string(parse_arrival(request.arrival));
  settings.preconditioner = request.preconditioner;
  settings.format = request.format;
  settings.tolerance = tolerance_of(request);
  settings.max_iterations = request.max_iterations;
  settings.restart = request.restart;
  settings.samples = request.samples;
  settings.seed = request.seed;
  return settings;
}

std::optional<SolveFinding> solve_finding(SolveFinding finding, std::map<std::uint64_t, SolveRecord> records) {
  const FloatEnvironment environment;
  if (!records.contains(kLaunchRun)) return std::nullopt;
  finding.launch = std::move(records.at(kLaunchRun));
  if (records.contains(kExactRun)) finding.exact = std::move(records.at(kExactRun));
  for (std::uint64_t sample = 0; sample < finding.request.samples && records.contains(sample); ++sample)
    finding.runs.push_back(std::move(records.at(sample)));
  if (finding.runs.empty()) return std::nullopt;
  finding.samples = finding.runs.size();
  finding.partial = finding.samples < finding.request.samples || !finding.exact;
  measure(finding);
  return finding;
}

std::optional<SolveFinding> find_solve(const SolveInput& input, const SolveRequest& request, const Watch& watch,
                                       const SolveRecords& records) {
  const FloatEnvironment environment;
  std::map<std::uint64_t, SolveRecord> all = records.known;
  make_missing(input, request, runs_of(request, Shard{}), watch, records, all);
  SolveFinding question;
  question.input = input.facts;
  question.request = settings_of(request);
  return solve_finding(std::move(question), std::move(all));
}

bool make_solve_runs(const SolveInput& input, const SolveRequest& request, std::uint64_t part, std::uint64_t parts,
                     const Watch& watch, const SolveRecords& records) {
  const FloatEnvironment environment;
  const std::vector<std::uint64_t> wanted = runs_of(request, {part, parts});
  std::map<std::uint64_t, SolveRecord> all = records.known;
  make_missing(input, request, wanted, watch, records, all);
  return std::all_of(wanted.begin(), wanted.end(), [&](std::uint64_t run) { return all.contains(run); });
}

}  // namespace orderlab::study
