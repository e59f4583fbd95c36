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
#include "study/compared_orders.hpp"
#include "study/divided_draws.hpp"
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
  return *request.samples / results_per_draw(request.against);
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
  if (request.other) finding.other = compared_order(*request.other, input);
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

// Whose bounds a comparison adds.
ComparedSums sums_of(const ToleranceFinding& finding, const ComparedEvaluators& compared) {
  return {finding.input.n,          finding.input.formats,
          finding.against,          finding.other ? std::optional(finding.other->formats) : std::nullopt,
          &compared.judged->plan(), compared.other == nullptr ? nullptr : &compared.other->plan()};
}

bool any_random(const ToleranceRequest& request) {
  return request.order.random() || (request.other && request.other->order.random());
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

// All results of the order, and of the one that it is compared with.
struct Enumerated {
  Enumeration judged;
  std::optional<Enumeration> other;
};

// Empty where they are too many.
std::optional<Enumerated> enumerate_compared(const ComparedEvaluators& compared, const ToleranceRequest& request,
                                             const Watch& watch) {
  const auto all = [&](const Evaluator& evaluator) {
    QuickEnumeration quick = enumerate_if_quick(evaluator, request.memory_bytes, request.threads, watch);
    if (!quick.note.empty()) call_back(watch.notes, quick.note);
    return std::move(quick.all);
  };
  std::optional<Enumeration> judged = all(*compared.judged);
  if (!judged) return std::nullopt;
  if (compared.other == nullptr) return Enumerated{*std::move(judged), {}};
  std::optional<Enumeration> other = all(*compared.other);
  if (!other) return std::nullopt;
  return Enumerated{*std::move(judged), std::move(other)};
}

void fill_exact(ToleranceFinding& finding, const ToleranceRequest& request, const ComparedEvaluators& compared,
                const Enumerated& results) {
  const Yardstick yardstick(finding.input.exact, finding.input.formats.result);
  const Enumeration* const other = results.other ? &*results.other : nullptr;
  const ExactDeviations exact = exact_deviations(results.judged, yardstick, request.against, request.coverage, other);
  const bool random = any_random(request);
  finding.method = random ? ToleranceMethod::enumerated : ToleranceMethod::one_order;
  finding.orders = (other != nullptr ? results.judged.orders * other->orders : results.judged.orders).str();
  finding.limit = exact.limit;
  finding.largest = exact.largest;
  finding.largest_from_exact = exact.largest_from_exact;
  finding.nonfinite = exact.nonfinite;
  SampleOptions some;
  some.end = random ? kBoundSamples : 1;
  some.threads = request.threads;
  const Against seen_against = compared.other != nullptr ? Against::order : Against::exact;
  const DeviationTally seen =
      sample_deviations(*compared.judged, yardstick, seen_against, 1, some, compared.other.get());
  finding.bounds = bounds_beside(seen, sums_of(finding, compared), finding.input.sum_abs.to_double());
  if (!random)  // the additions that were done are all there are
    for (BesideBound& bound : finding.bounds) bound.proven = bound.probability >= 1;
}

// Additions of a draw; on one input those that come before the first random step were done once.
double additions_of_a_draw(const ToleranceRequest& request, const InputFacts& input,
                           const ComparedEvaluators& compared) {
  const auto of = [&](const Evaluator& evaluator) {
    return static_cast<double>(request.new_inputs ? input.n : evaluator.random_count());
  };
  const double judged = static_cast<double>(results_per_draw(request.against)) * of(*compared.judged);
  return judged + (compared.other ? of(*compared.other) : 0);
}

// How many draws; announced before they start.
SamplingRule rule_for(const ToleranceRequest& request, double additions, const Watch& watch) {
  const double coverage = coverage_of_a_draw(request);
  SamplingRule rule = sampling_rule(coverage, request.confidence, additions);
  const auto asked = draws_asked(request);
  if (!asked && rule.samples > kMostSamples)
    throw RequestError(ErrorKind::usage, words(request) + ": needs " + std::to_string(rule.samples) +
                                             " draws; ask for less, or for this many by `" +
                                             (request.new_inputs ? "inputs" : "samples") + "`");
  if (asked) rule = {*asked, limit_rank(*asked, coverage, request.confidence)};
  const bool pairs = request.against != Against::exact;
  const char* one_input = pairs ? " pairs of samples" : " samples";
  const char* what = !request.new_inputs ? one_input
                     : pairs             ? " inputs, a pair of samples each"
                                         : " inputs, a sample each";
  call_back(watch.announces, "drawing " + std::to_string(rule.samples) + what + ": " + words(request) + "; the " +
                                 rank_in_words(rule.rank) + " is the tolerance");
  return rule;
}

// Leaves the rank 0 when too few draws were done for any limit.
void fill_sampled(ToleranceFinding& finding, const ToleranceRequest& request, const ComparedEvaluators& compared,
                  const InputDraws& draws, std::uint64_t wanted) {
  const DeviationTally& tally = draws.tally;
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
  finding.mean_largest = draws.mean_largest;
  finding.nonfinite = static_cast<double>(tally.nonfinite()) / static_cast<double>(tally.draws());
  const InputFacts& input = finding.input;
  if (!request.new_inputs) {
    finding.bounds = bounds_beside(tally, sums_of(finding, compared), input.sum_abs.to_double());
    return;
  }
  finding.inputs = wanted;
  finding.new_inputs = true;
  finding.condition = tally.condition();
  finding.bounds = bounds_beside_inputs(tally, sums_of(finding, compared),
                                        largest_magnitude_of(input.distribution, input.formats.terms));
}

InputDraws draw(const Input& input, const ToleranceRequest& request, const ComparedEvaluators& compared,
                const SamplingRule& rule, const Watch& watch) {
  const WatchedStage stage(watch, "sampling");
  const auto options_of = [&](const SampleRange& draws) {
    SampleOptions options;
    options.begin = draws.first;
    options.end = draws.second;
    options.threads = request.threads;
    stage.follow(options);
    return options;
  };
  const InputFacts& about = input.facts;
  const DeviationTally empty(rule.rank);
  DrawRange all{{0, rule.samples}, draws_of(about, request.seed, request.order.expression())};
  all.of += " against " + std::string(name_of(request.against));
  if (request.other)
    all.of += " " + request.other->order.expression() + " " + to_string(request.other->formats(about.formats));
  all.of += request.new_inputs ? ", new inputs" : "";
  all.of += ", the largest " + std::to_string(rule.rank) + " of " + std::to_string(rule.samples);
  require_memory(kBytesPerRank * static_cast<double>(rule.rank));
  if (!request.new_inputs) {
    const Yardstick yardstick(about.exact, about.formats.result);
    return {divided_draws(watch, all, empty,
                          [&](const SampleRange& draws) {
                            return sample_deviations(*compared.judged, yardstick, request.against, rule.rank,
                                                     options_of(draws), compared.other.get());
                          }),
            {}};
  }
  const OtherOrder* const other = request.other ? &*request.other : nullptr;
  double bytes = static_cast<double>(about.n * info(about.formats.terms).held_bytes()) +
                 evaluator_memory_bytes(request.order, about.n, false, about.formats, 1);
  if (other != nullptr) bytes += evaluator_memory_bytes(other->order, about.n, false, other->formats(about.formats), 1);
  const double of_groups = request.outputs > 1 ? 8 * static_cast<double>(rule.samples / request.outputs) : 0;
  require_memory(threads_used(request.threads) * bytes + of_groups);
  const InputFamily family{about.distribution, about.n, about.formats, about.input_seed};
  const auto take = [&](const SampleRange& draws) {
    return sample_inputs(family, request.order, request.seed, request.against, rule.rank, options_of(draws), other,
                         request.outputs);
  };
  if (request.outputs > 1) return take(all.draws);  // the largest of each group of outputs is in no tally
  return {divided_draws(watch, all, empty, [&](const SampleRange& draws) { return take(draws).tally; }), {}};
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

Against read_against(const Flag&, const std::string& text) {
  return text == name_of(Against::exact) ? Against::exact
         : text == name_of(Against::run) ? Against::run
                                         : Against::order;
}

std::string against_text(const Flag&, Against against) { return std::string(name_of(against)); }

Against read_against_of_outputs(const Flag& flag, const std::string& text) {
  const Against against = read_against(flag, text);
  if (against == Against::order)
    throw Error(ErrorKind::usage, flag.long_name() + " " + text + ": with an operation it must be exact or run");
  return against;
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
  if (request.other.has_value() != (request.against == Against::order))
    throw RequestError("against", std::string(name_of(request.against)),
                       request.other ? "is no order, and `other` was given" : "needs an order in `other`");
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
  const ComparedEvaluators compared =
      make_compared(input, request.order, request.other ? &*request.other : nullptr, request.seed, request.threads);
  ToleranceFinding finding = described(request, input.facts);
  finding.random_count = compared.judged->random_count();
  std::optional<Enumerated> results;
  if (!request.new_inputs) {
    check_reference(request, input.facts);
    if (!draws_a_part(watch) && (!request.samples || !any_random(request)))
      results = enumerate_compared(compared, request, watch);
  }
  if (results) {
    fill_exact(finding, request, compared, *results);
  } else {
    const SamplingRule rule = rule_for(request, additions_of_a_draw(request, input.facts, compared), watch);
    fill_sampled(finding, request, compared, draw(input, request, compared, rule, watch), rule.samples);
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
