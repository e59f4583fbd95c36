// orderlab tolerance: what to pass to a compare call.
#include "orderlab/tolerance.hpp"

#include <optional>
#include <string>

#include "cli/enumerating.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "cli/tolerance_plan.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"
#include "study/order_run.hpp"
#include "study/tolerance_words.hpp"

namespace orderlab::cli {

namespace {

constexpr std::uint64_t kBoundSamples = 1000;  // orders whose bounds stand beside an enumerated limit
constexpr double kBytesPerRank = 3 * 2 * 8;    // three units, twice as many kept as needed

study::ToleranceFinding described(const TolerancePlan& plan, const study::InputFacts& input) {
  study::ToleranceFinding report;
  report.input = input;
  report.asked = {plan.order.expression(), study::arrival_of(plan.order)};
  report.name = plan.order.name();
  report.guarantee = name_of(plan.order.guarantee());
  report.warnings = plan.order.warnings(input.n, input.formats.accumulate);
  report.against = plan.against;
  report.coverage = plan.coverage;
  report.confidence = plan.confidence;
  report.outputs = plan.outputs;
  report.seed = plan.seed;
  report.memory_bytes = static_cast<std::uint64_t>(plan.memory_bytes);
  if (!plan.new_inputs) report.samples_asked = plan.draws;
  report.condition = condition_number(input.exact, input.sum_abs);
  return report;
}

// Error(input) where nothing can be measured on the one input.
void check_reference(const TolerancePlan& plan, const study::InputFacts& input) {
  const Yardstick yardstick(input.exact, input.formats.result);
  if (plan.against == Against::exact && yardstick.overflows())
    throw Error(ErrorKind::input, "the exact sum " + input.exact.decimal(4) + " overflows " +
                                      std::string(info(input.formats.result).name) +
                                      ": no result can be near it; give a wider result by --format, or --against run");
}

void fill_exact(study::ToleranceFinding& report, const TolerancePlan& plan, const Evaluator& evaluator,
                const Enumeration& results) {
  const Yardstick yardstick(report.input.exact, report.input.formats.result);
  const ExactDeviations exact = exact_deviations(results, yardstick, plan.against, plan.coverage);
  report.method = plan.order.random() ? study::ToleranceMethod::enumerated : study::ToleranceMethod::one_order;
  report.orders = results.orders.str();
  report.limit = exact.limit;
  report.largest = exact.largest;
  report.nonfinite = exact.nonfinite;
  SampleOptions some;
  some.end = plan.order.random() ? kBoundSamples : 1;
  some.threads = plan.threads;
  const DeviationTally seen = sample_deviations(evaluator, yardstick, Against::exact, 1, some);
  report.bounds =
      study::bounds_beside(seen, report.input.formats, report.input.n, report.input.sum_abs.to_double(), plan.against);
  if (!plan.order.random())  // the additions that were done are all there are
    for (study::BesideBound& bound : report.bounds) bound.proven = bound.probability >= 1;
}

// How many draws, said before they start.
SamplingRule announce(Session& session, const TolerancePlan& plan) {
  const double coverage = coverage_of_a_draw(plan);
  SamplingRule rule = sampling_rule(coverage, plan.confidence);
  if (!plan.draws && rule.samples > kMostSamples)
    throw Error(ErrorKind::usage, words(plan) + ": needs " + std::to_string(rule.samples) +
                                      " draws; ask for less, or for this many by --" +
                                      (plan.new_inputs ? "inputs" : "samples"));
  if (plan.draws) rule = {*plan.draws, limit_rank(*plan.draws, coverage, plan.confidence)};
  const bool pairs = plan.against == Against::run;
  const char* one_input = pairs ? " pairs of samples" : " samples";
  const char* what = !plan.new_inputs ? one_input
                     : pairs          ? " inputs, a pair of samples each"
                                      : " inputs, a sample each";
  if (plan.progress)
    session.err << "drawing " << rule.samples << what << ": " << words(plan) << "; the "
                << study::rank_in_words(rule.rank) << " is the tolerance\n";
  return rule;
}

// False when too few draws were done for any limit.
bool fill_sampled(study::ToleranceFinding& report, const TolerancePlan& plan, const DeviationTally& tally,
                  std::uint64_t wanted) {
  report.method = study::ToleranceMethod::sampled;
  report.draws = tally.draws();
  report.partial = tally.draws() < wanted;
  report.rank = limit_rank(tally.draws(), coverage_of_a_draw(plan), plan.confidence);
  if (report.rank == 0) return false;
  report.limit = tally.limit(report.rank);
  report.largest = tally.limit(1);
  report.rms = tally.rms();
  report.nonfinite = static_cast<double>(tally.nonfinite()) / static_cast<double>(tally.draws());
  const study::InputFacts& input = report.input;
  if (!plan.new_inputs) {
    report.bounds = study::bounds_beside(tally, input.formats, input.n, input.sum_abs.to_double(), plan.against);
    return true;
  }
  report.inputs = wanted;
  report.new_inputs = true;
  report.condition = tally.condition();
  report.bounds = study::bounds_beside_inputs(
      tally, input.formats, input.n, largest_magnitude_of(input.distribution, input.formats.terms), plan.against);
  return true;
}

DeviationTally draw(Session& session, const TolerancePlan& plan, const study::Input& input, const Evaluator& evaluator,
                    const SamplingRule& rule) {
  ProgressBar bar(session, "sampling", plan.progress);
  SampleOptions options;
  options.end = rule.samples;
  options.threads = plan.threads;
  bar.follow(options);
  const study::InputFacts& about = input.facts;
  require_memory(kBytesPerRank * static_cast<double>(rule.rank));
  if (!plan.new_inputs)
    return sample_deviations(evaluator, Yardstick(about.exact, about.formats.result), plan.against, rule.rank, options);
  const double terms = static_cast<double>(about.n) * info(about.formats.terms).bits / 8;
  require_memory(threads_used(plan.threads) *
                 (terms + evaluator_memory_bytes(plan.order, about.n, false, about.formats, 1)));
  const InputFamily family{about.distribution, about.n, about.formats, about.input_seed};
  return sample_inputs(family, plan.order, plan.seed, plan.against, rule.rank, options);
}

int run_tolerance(const CommandLine& line, Session& session) {
  const TolerancePlan plan = parse_plan(line, session.files);
  colored(line, session);
  OutputTargets targets(line);
  check_order(plan.order, line);
  const study::Input input = load_input(line);
  const auto evaluator = make_evaluator(plan.order, input, plan.seed, plan.threads);
  study::ToleranceFinding report = described(plan, input.facts);
  report.random_count = evaluator->random_count();

  std::optional<Enumeration> results;
  if (!plan.new_inputs) {
    check_reference(plan, input.facts);
    if (!plan.draws || !plan.order.random()) {
      QuickEnumeration quick = enumerate_if_quick(session, *evaluator, plan.memory_bytes, plan.threads, plan.progress);
      results = std::move(quick.all);
      if (!quick.note.empty() && plan.progress) session.err << "orderlab: tolerance: " << quick.note << "\n";
    }
  }
  if (results) {
    fill_exact(report, plan, *evaluator, *results);
  } else {
    const SamplingRule rule = announce(session, plan);
    const DeviationTally tally = draw(session, plan, input, *evaluator, rule);
    if (!fill_sampled(report, plan, tally, rule.samples)) {
      session.err << "orderlab: tolerance: interrupted after " << tally.draws() << " draws; " << words(plan)
                  << " takes at least " << needed_samples(coverage_of_a_draw(plan), plan.confidence) << "\n";
      return kInterrupted;
    }
  }
  write_report(session, line, targets, report);
  if (report.partial) return kInterrupted;
  return has_limit(report) ? kDone : kExitNo;
}

}  // namespace

extern const Command kTolerance;
const Command kTolerance{
    .name = "tolerance",
    .summary = "what to pass to a compare call, with coverage and confidence",
    .example = "orderlab tolerance --n 1e5 --order warp --format fp32 --coverage 0.999 --confidence 0.95",
    .flags = tolerance_flags(),
    .run = run_tolerance,
};

}  // namespace orderlab::cli
