#include "orderlab/study/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"
#include "study/bound_order.hpp"
#include "study/order_run.hpp"
#include "study/quick_enumeration.hpp"
#include "study/reached_limit.hpp"
#include "study/tolerance_bounds.hpp"
#include "study/tolerance_options.hpp"
#include "study/tolerance_words.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

constexpr std::uint64_t kBoundSamples = 1000;  // orders whose bounds stand beside an enumerated limit
constexpr double kBytesPerRank = 3 * 2 * 8;    // three units, twice as many kept as needed

std::string words(const ToleranceRequest& request) {
  return level_in_words(request.coverage, request.outputs, request.confidence);
}

// What each draw, which is one output, has to cover.
double coverage_of_a_draw(const ToleranceRequest& request) {
  return coverage_of_one(request.coverage, request.outputs);
}

// Number of draws that the caller gave: inputs, samples, or pairs of samples.
std::optional<std::uint64_t> draws_asked(const ToleranceRequest& request) {
  if (request.new_inputs) return request.inputs;
  if (!request.samples) return std::nullopt;
  return *request.samples / (request.against == Against::run ? 2 : 1);
}

// Naming the least number, for fewer draws than any limit takes.
void require_draws(const ToleranceRequest& request, const std::string& field, std::uint64_t asked,
                   const std::string& more) {
  const std::uint64_t least = needed_samples(coverage_of_a_draw(request), request.confidence);
  if (*draws_asked(request) < least)
    throw RequestError(field, std::to_string(asked),
                       "too few for " + words(request) + ", which takes at least " + std::to_string(least) + more);
}

ToleranceFinding described(const ToleranceRequest& request, const InputFacts& input) {
  ToleranceFinding finding;
  finding.input = input;
  finding.asked = {request.order.expression(), arrival_of(request.order)};
  finding.name = request.order.name();
  finding.order_assumed = request.order_assumed;
  finding.guarantee = name_of(request.order.guarantee());
  finding.warnings = request.order.warnings(input.n, input.formats.accumulate);
  finding.against = request.against;
  finding.coverage = request.coverage;
  finding.reached = request.coverage;
  finding.confidence = request.confidence;
  finding.outputs = request.outputs;
  finding.seed = request.seed;
  finding.memory_bytes = static_cast<std::uint64_t>(request.memory_bytes);
  if (!request.new_inputs) finding.samples_asked = draws_asked(request);
  finding.condition = condition_number(input.exact, input.sum_abs);
  return finding;
}

// Error(input) where nothing can be measured on the one input.
void check_reference(const ToleranceRequest& request, const InputFacts& input) {
  const Yardstick yardstick(input.exact, input.formats.result);
  if (request.against == Against::exact && yardstick.overflows())
    throw RequestError(ErrorKind::input,
                       "the exact sum " + input.exact.decimal(4) + " overflows " +
                           std::string(info(input.formats.result).name) +
                           ": no result can be near it; give a wider result by `formats`, or `against` run");
}

void fill_exact(ToleranceFinding& finding, const ToleranceRequest& request, const Evaluator& evaluator,
                const Enumeration& results) {
  const Yardstick yardstick(finding.input.exact, finding.input.formats.result);
  const ExactDeviations exact = exact_deviations(results, yardstick, request.against, request.coverage);
  finding.method = request.order.random() ? ToleranceMethod::enumerated : ToleranceMethod::one_order;
  finding.orders = results.orders.str();
  finding.limit = exact.limit;
  finding.largest = exact.largest;
  finding.largest_from_exact = exact.largest_from_exact;
  finding.nonfinite = exact.nonfinite;
  SampleOptions some;
  some.end = request.order.random() ? kBoundSamples : 1;
  some.threads = request.threads;
  const DeviationTally seen = sample_deviations(evaluator, yardstick, Against::exact, 1, some);
  finding.bounds =
      bounds_beside(seen, finding.input.formats, finding.input.n, finding.input.sum_abs.to_double(), request.against);
  if (!request.order.random())  // the additions that were done are all there are
    for (BesideBound& bound : finding.bounds) bound.proven = bound.probability >= 1;
}

// How many draws; announced before they start.
SamplingRule rule_for(const ToleranceRequest& request, const Watch& watch) {
  const double coverage = coverage_of_a_draw(request);
  SamplingRule rule = sampling_rule(coverage, request.confidence);
  const auto asked = draws_asked(request);
  if (!asked && rule.samples > kMostSamples)
    throw RequestError(ErrorKind::usage, words(request) + ": needs " + std::to_string(rule.samples) +
                                             " draws; ask for less, or for this many by `" +
                                             (request.new_inputs ? "inputs" : "samples") + "`");
  if (asked) rule = {*asked, limit_rank(*asked, coverage, request.confidence)};
  const bool pairs = request.against == Against::run;
  const char* one_input = pairs ? " pairs of samples" : " samples";
  const char* what = !request.new_inputs ? one_input
                     : pairs             ? " inputs, a pair of samples each"
                                         : " inputs, a sample each";
  call_back(watch.announces, "drawing " + std::to_string(rule.samples) + what + ": " + words(request) + "; the " +
                                 rank_in_words(rule.rank) + " is the tolerance");
  return rule;
}

// Leaves the rank 0 when too few draws were done for any limit.
void fill_sampled(ToleranceFinding& finding, const ToleranceRequest& request, const DeviationTally& tally,
                  std::uint64_t wanted) {
  finding.method = ToleranceMethod::sampled;
  finding.draws = tally.draws();
  finding.planned = wanted;
  finding.partial = tally.draws() < wanted;
  const ReachedLimit reached = reached_limit(tally.draws(), request.coverage, request.outputs, request.confidence);
  finding.rank = reached.rank;
  if (finding.rank == 0) return;
  finding.reached = reached.coverage;
  finding.limit = tally.limit(finding.rank);
  finding.largest = tally.limit(1);
  finding.rms = tally.rms();
  finding.rms_from_exact = tally.rms_from_exact();
  finding.largest_from_exact = tally.largest_from_exact();
  finding.nonfinite = static_cast<double>(tally.nonfinite()) / static_cast<double>(tally.draws());
  const InputFacts& input = finding.input;
  if (!request.new_inputs) {
    finding.bounds = bounds_beside(tally, input.formats, input.n, input.sum_abs.to_double(), request.against);
    return;
  }
  finding.inputs = wanted;
  finding.new_inputs = true;
  finding.condition = tally.condition();
  finding.bounds = bounds_beside_inputs(tally, input.formats, input.n,
                                        largest_magnitude_of(input.distribution, input.formats.terms), request.against);
}

DeviationTally draw(const Input& input, const ToleranceRequest& request, const Evaluator& evaluator,
                    const SamplingRule& rule, const Watch& watch) {
  const WatchedStage stage(watch, "sampling");
  SampleOptions options;
  options.end = rule.samples;
  options.threads = request.threads;
  stage.follow(options);
  const InputFacts& about = input.facts;
  require_memory(kBytesPerRank * static_cast<double>(rule.rank));
  if (!request.new_inputs)
    return sample_deviations(evaluator, Yardstick(about.exact, about.formats.result), request.against, rule.rank,
                             options);
  const double terms = static_cast<double>(about.n) * info(about.formats.terms).bits / 8;
  require_memory(threads_used(request.threads) *
                 (terms + evaluator_memory_bytes(request.order, about.n, false, about.formats, 1)));
  const InputFamily family{about.distribution, about.n, about.formats, about.input_seed};
  return sample_inputs(family, request.order, request.seed, request.against, rule.rank, options);
}

}  // namespace

std::span<const UsualOrder> usual_orders() {
  static constexpr UsualOrder kUsual[] = {
      {"a loop over the terms, in any language", "sequential"},
      {"the same, vectorised with -ffast-math", "gcc_simd"},
      {"OpenMP reduction by 8 threads", "openmp(8)"},
      {"std::reduce", "std_reduce"},
      {"oneTBB parallel_deterministic_reduce", "tbb_deterministic"},
      {"numpy.sum", "numpy"},
      {"Eigen's sum()", "eigen"},
      {"GPU, no float atomics: CUB, Thrust", "cub"},
      {"GPU, one atomicAdd per warp", "warp"},
      {"GPU, one atomicAdd per thread block", "spa"},
      {"GPU, one atomicAdd per term", "ao"},
      {"all-reduce over the ranks by NCCL", "nccl_ring"},
      {"all-reduce over the ranks by MPI", "mpi_recursive_doubling"},
  };
  return kUsual;
}

void validate(const ToleranceRequest& request) {
  const FloatEnvironment environment;
  kToleranceOptions.check(request);
  if (request.outputs > 1 && !request.new_inputs)
    throw RequestError("outputs", std::to_string(request.outputs),
                       "needs `new_inputs`: every output takes terms of its own");
  if (request.samples && request.new_inputs)
    throw RequestError("samples", std::to_string(*request.samples),
                       "draws orders of one input; `inputs` is the number of new ones");
  if (request.inputs && !request.new_inputs)
    throw RequestError("inputs", std::to_string(*request.inputs),
                       "is the number of `new_inputs`, which were not asked for");
  if (request.samples)
    require_draws(request, "samples", *request.samples,
                  request.against == Against::run ? " pairs, two samples each" : "");
  if (request.inputs)
    require_draws(request, "inputs", *request.inputs,
                  " (one draw each, so that they are independent), or `inputs` auto");
}

ToleranceFinding tolerance(const Input& input, const ToleranceRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  validate(request);
  if (request.new_inputs && input.facts.distribution.empty())
    throw RequestError(ErrorKind::usage, "`new_inputs` are drawn from a distribution; given terms are one input");
  const auto evaluator = make_evaluator(request.order, input, request.seed, request.threads);
  ToleranceFinding finding = described(request, input.facts);
  finding.random_count = evaluator->random_count();
  std::optional<Enumeration> results;
  if (!request.new_inputs) {
    check_reference(request, input.facts);
    if (!request.samples || !request.order.random()) {
      QuickEnumeration quick = enumerate_if_quick(*evaluator, request.memory_bytes, request.threads, watch);
      results = std::move(quick.all);
      if (!quick.note.empty()) call_back(watch.notes, quick.note);
    }
  }
  if (results) {
    fill_exact(finding, request, *evaluator, *results);
  } else {
    const SamplingRule rule = rule_for(request, watch);
    fill_sampled(finding, request, draw(input, request, *evaluator, rule, watch), rule.samples);
  }
  return finding;
}

bool has_limit(const ToleranceFinding& finding) {
  const FloatEnvironment environment;
  return std::isfinite(finding.limit.absolute);
}

double stated_confidence(const ToleranceFinding& finding) {
  const FloatEnvironment environment;
  return finding.method == ToleranceMethod::sampled ? finding.confidence : 1;
}

bool says_no_more(const ToleranceFinding& finding, const BesideBound& bound) {
  const FloatEnvironment environment;
  return bound.probability < 1 &&
         std::any_of(finding.bounds.begin(), finding.bounds.end(), [&](const BesideBound& other) {
           return !(other.probability < 1) && other.scope == bound.scope && no_better(bound.value, other.value);
         });
}

}  // namespace orderlab::study
