#include "orderlab/study/alternatives.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "engine/arena.hpp"
#include "operation/exact_outputs.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "study/alternative_forms.hpp"
#include "study/alternatives_options.hpp"
#include "study/asked_arrival.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

/// Errors of outputs, added up.
struct OutputErrors {
  double sum = 0;      ///< sum of |result - exact| / sum|x|
  double largest = 0;  ///< ulps

  void add(const ExactRows& exact, std::size_t r, double value) {
    const double ulps = ulp_error(exact, r, value);
    largest = std::max(largest, ulps);
    if (exact.magnitude[r] > 0 && std::isfinite(exact.magnitude[r])) sum += ulps * exact.ulp[r] / exact.magnitude[r];
  }
};

struct Run {
  OutputErrors errors;
  std::array<std::uint64_t, 2> hash{};
};

struct RunBuffers {
  std::unique_ptr<OutputSums::Scratch> scratch;
  std::vector<std::byte> results;

  explicit RunBuffers(const OutputSums& sums) : scratch(sums.make_scratch()), results(sums.result_bytes()) {}
};

/// Errors of the outputs that no order changes, which are added up before those of the others.
OutputErrors fixed_errors(const OutputSums& sums, const ExactRows& exact, const Terms& results) {
  OutputErrors errors;
  const auto varying = sums.varying();
  std::size_t next = 0;
  each_in_pass(results.size(), [&](std::size_t r) {
    if (next < varying.size() && varying[next] == r)
      ++next;
    else if (std::isfinite(exact.high[r]))
      errors.add(exact, r, results.view().left(r));
  });
  return errors;
}

/// The same sum of all outputs, in the same order: equal results have equal errors.
OutputErrors errors_of(const OutputSums& sums, const ExactRows& exact, const Terms& results) {
  OutputErrors errors = fixed_errors(sums, exact, results);
  const auto varying = sums.varying();
  each_in_pass(varying.size(), [&](std::size_t k) {
    const std::uint32_t r = varying[k];
    if (std::isfinite(exact.high[r])) errors.add(exact, r, results.view().left(r));
  });
  return errors;
}

/// The first of the runs 0 .. wanted - 1, all of them unless stopped.
std::vector<Run> draw_runs(const OutputSums& sums, const ExactRows& exact, std::uint64_t wanted, int threads,
                           const Watch& watch) {
  const OutputErrors fixed = fixed_errors(sums, exact, sums.launch());
  const auto varying = sums.varying();
  std::vector<std::optional<Run>> drawn(wanted);
  PerThread<RunBuffers> buffers([&] { return std::make_shared<RunBuffers>(sums); });
  const WatchedWork work(watch, "sampling");
  Pass pass(wanted);
  const auto draw = [&](std::size_t i) {
    RunBuffers& mine = buffers.local();
    sums.evaluate(i, mine.results, *mine.scratch);
    const TermView results{sums.result_format(), varying.size(), mine.results.data(), nullptr};
    Run run{.errors = fixed};
    each_in_pass(varying.size(), [&](std::size_t k) {
      if (std::isfinite(exact.high[varying[k]])) run.errors.add(exact, varying[k], results.left(k));
    });
    const XXH128_hash_t hash = XXH3_128bits(mine.results.data(), mine.results.size());
    run.hash = {hash.low64, hash.high64};
    drawn[i] = run;
    pass.did(1);
  };
  unless_stopped([&] {
    loop_on(threads)(wanted, draw);
    return true;
  });
  std::vector<Run> runs;
  for (std::size_t i = 0; i < drawn.size() && drawn[i]; ++i) runs.push_back(*drawn[i]);
  return runs;
}

/// What a static schedule of the operation does without.
std::string randomness_of(const LoweredOperation& operation, const std::string& arrival) {
  if (operation.scan && operation.scan->lookback.model->random) return "its drawn look-back distances";
  if (operation.arrives())
    return "the arrival order of " + std::to_string(operation.rows.units) + " units, drawn from " + arrival;
  return "its drawn orders";
}

/// A way in a fixed order, before it is compared with the runs.
struct MeasuredWay {
  Alternative way;
  OutputErrors errors;
  AdditionCount count;
};

/// The ways of one operation, in the order in which they are shown.
class Ledger {
 public:
  Ledger(AlternativesFinding& finding, const LoweredOperation& operation) : finding_(finding), operation_(operation) {}

  void add_runs(const std::vector<Run>& runs, const AdditionCount& count) {
    Alternative way;
    std::set<std::array<std::uint64_t, 2>> hashes;
    for (const Run& run : runs) {
      finding_.run_errors.push_back(run.errors.sum / outputs());
      way.largest_error = std::max(way.largest_error, run.errors.largest);
      hashes.insert(run.hash);
    }
    std::sort(finding_.run_errors.begin(), finding_.run_errors.end());
    for (const double error : finding_.run_errors) way.error += error;
    way.error /= static_cast<double>(runs.size());
    way.name = "as it runs";
    way.addition = operation_.launch.addition;
    way.guarantee = operation_.launch.guarantee;
    if (!finding_.varies) way.guarantee = std::min(way.guarantee, Guarantee::run_to_run);
    way.results = hashes.size();
    add(std::move(way), count);
  }

  void add_fixed(MeasuredWay fixed) {
    fixed.way.error = fixed.errors.sum / outputs();
    fixed.way.largest_error = fixed.errors.largest;
    add(std::move(fixed.way), fixed.count);
  }

 private:
  double outputs() const { return static_cast<double>(finding_.input.outputs); }

  void add(Alternative way, const AdditionCount& count) {
    way.additions = count.additions;
    way.height = count.height;
    const auto& runs = finding_.run_errors;
    const auto better = std::lower_bound(runs.begin(), runs.end(), way.error) - runs.begin();
    way.better_runs = static_cast<double>(better) / static_cast<double>(runs.size());
    if (finding_.adders)
      way.cycles = std::max(way.additions / *finding_.adders + (way.additions % *finding_.adders != 0 ? 1 : 0),
                            *finding_.latency * way.height);
    finding_.alternatives.push_back(std::move(way));
  }

  AlternativesFinding& finding_;
  const LoweredOperation& operation_;
};

/// Sums of integers: a tree of them is as good as any order.
AdditionCount count_exact(const LoweredOperation& operation, const AdditionCount& as_it_runs) {
  if (operation.scan)
    return {operation.contributions(), static_cast<std::uint64_t>(std::bit_width(operation.scan->extent - 1))};
  if (operation.finished) return count_exact(*operation.finished->sums, as_it_runs);
  if (operation.computed)
    return {as_it_runs.additions, static_cast<std::uint64_t>(std::bit_width(operation.computed->numbers - 1))};
  std::size_t longest = 1;
  for (std::size_t r = 0; r < operation.outputs(); ++r) {
    const Contributions& rows = operation.raw ? *operation.raw : operation.rows;
    longest = std::max(longest, operation.terms.empty() ? rows.row_length(r) : operation.terms.length(r));
  }
  return {as_it_runs.additions, static_cast<std::uint64_t>(std::bit_width(longest - (longest > 0 ? 1 : 0)))};
}

/// All fixed ways, in the order in which they are shown.
std::vector<MeasuredWay> measure_ways(const AlternativesFinding& finding, const OutputSums& sums,
                                      const ExactRows& exact, const AdditionCount& as_it_runs, const Loop& loop) {
  const LoweredOperation& operation = sums.operation();
  std::vector<MeasuredWay> ways;
  const auto add = [&](Alternative way, const Terms& results, const AdditionCount& count) {
    ways.push_back({std::move(way), errors_of(sums, exact, results), count});
  };
  if (finding.varies)
    add({.name = "static schedule",
         .addition = "as it runs, units in launch order",
         .removes = randomness_of(operation, finding.arrival),
         .guarantee = Guarantee::run_to_run},
        sums.launch(), as_it_runs);
  const std::uint64_t sorting = sorting_passes(operation);
  if (operation.deterministic) {
    const FixedForm& form = *operation.deterministic;
    add({.name = operation.scan ? "chain of tiles" : "deterministic form",
         .addition = std::string(form.addition),
         .guarantee = Guarantee::run_to_run,
         .passes = 1 + sorting},
        form.results(operation), form.additions(operation));
  }
  visit_fixed_ways(operation, loop, [&](const FixedWay& way) {
    add({.name = way.name, .addition = way.addition, .guarantee = way.guarantee, .passes = way.passes + sorting},
        way.results, way.count);
  });
  add({.name = "exact",
       .addition = "superaccumulators: without rounding, then rounded once",
       .guarantee = Guarantee::any_device},
      exact.rounded, count_exact(operation, as_it_runs));
  return ways;
}

}  // namespace

void validate(const AlternativesRequest& request) {
  const FloatEnvironment environment;
  kAlternativesOptions.check(request);
  if (request.adders.has_value() != request.latency.has_value())
    throw RequestError(ErrorKind::usage, "a lower bound on cycles takes `adders` and `latency`; give both or none");
}

namespace {

// Empty when stopped before the first run was drawn, unless Stopped is thrown.
std::optional<AlternativesFinding> alternatives(const OperationInput& input, const AlternativesRequest& request,
                                                const Watch& watch) {
  const LoweredOperation& operation = *input.operation;
  if (operation.addition.combine == Combine::multiply)
    throw Error(ErrorKind::unsupported, operation.text + ": multiplies; alternatives are known for sums");
  const ArrivalCall arrival = arrival_of(operation, request.arrival);
  const Loop loop = loop_on(request.threads);
  // All that takes long but the runs comes before them: what runs were drawn is a finding, whenever a stop comes.
  const auto sums = in_stage(watch, "outputs that vary", [&] {
    return OutputSums::make(input.operation, arrival, DrawPath{.seed = request.seed});
  });
  const ExactRows exact = in_stage(watch, "exact results", [&] { return exact_outputs(operation, loop); });
  AlternativesFinding finding;
  finding.input = input.facts;
  if (operation.arrives()) finding.arrival = to_string(arrival);
  finding.seed = request.seed;
  finding.adders = request.adders;
  finding.latency = request.latency;
  finding.varies = !sums->varying().empty();
  const AdditionCount as_it_runs = in_stage(watch, "additions", [&] { return count_as_it_runs(operation); });
  std::vector<MeasuredWay> ways =
      in_stage(watch, "fixed orders", [&] { return measure_ways(finding, *sums, exact, as_it_runs, loop); });
  const std::uint64_t wanted = finding.varies ? request.samples : 1;
  const std::vector<Run> runs = draw_runs(*sums, exact, wanted, request.threads, watch);
  if (runs.empty()) return std::nullopt;
  finding.samples_asked = request.samples;
  finding.samples = runs.size();
  finding.partial = runs.size() < wanted;
  Ledger ledger(finding, operation);
  ledger.add_runs(runs, as_it_runs);
  for (MeasuredWay& way : ways) ledger.add_fixed(std::move(way));
  return finding;
}

}  // namespace

std::optional<AlternativesFinding> find_alternatives(const OperationInput& input, const AlternativesRequest& request,
                                                     const Watch& watch) {
  const FloatEnvironment environment;
  validate(request);
  return unless_stopped([&] { return alternatives(input, request, watch); }).value_or(std::nullopt);
}

}  // namespace orderlab::study
