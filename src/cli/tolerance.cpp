// orderlab tolerance: what to pass to a compare call.
#include "orderlab/tolerance.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "engine/worth_enumerating.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/philox.hpp"
#include "report/tolerance_json.hpp"
#include "report/tolerance_report.hpp"
#include "report/tolerance_text.hpp"

namespace orderlab::cli {

namespace {

constexpr int kNoTolerance = 1;
constexpr std::uint64_t kMostSamples = 1'000'000'000;  // asked for without being told to: days, not minutes
constexpr std::uint64_t kBoundSamples = 1000;          // orders whose bounds stand beside an enumerated limit

struct Options : CommonOptions {
  std::string coverage = "0.999";
  std::string confidence = "0.95";
  std::string against = "exact";
  std::string inputs = "1";
  std::string samples;
  std::string memory = "2^30";
};

// Options as values.
struct Plan {
  Order order;
  std::uint64_t seed = 1;
  double coverage = 0;
  double confidence = 0;
  Against against = Against::exact;
  bool new_inputs = false;                  ///< every draw on an input of its own
  std::optional<std::uint64_t> draws = {};  ///< as many were asked for
  double memory_bytes = 0;
  int threads = 0;
  bool progress = false;
};

double parse_fraction(const std::string& flag, const std::string& text) {
  const auto value = read_real(text);
  if (!value || !(*value > 0 && *value < 1))
    throw Error(ErrorKind::usage, flag + " " + text + ": must lie between 0 and 1, both excluded, such as 0.999");
  return *value;
}

Against parse_against(const std::string& text) {
  if (text == "exact") return Against::exact;
  if (text == "run") return Against::run;
  throw Error(ErrorKind::usage, "--against " + text + ": must be exact (the exact sum) or run (another run)");
}

std::string words(const Plan& plan) {
  return "coverage " + shortest(plan.coverage) + " with confidence " + shortest(plan.confidence);
}

// Error(usage), naming the least number, for fewer draws than any limit takes.
void require_draws(const Plan& plan, const std::string& asked, const std::string& more) {
  const std::uint64_t least = needed_samples(plan.coverage, plan.confidence);
  if (plan.draws && *plan.draws < least)
    throw Error(ErrorKind::usage,
                asked + ": too few for " + words(plan) + ", which takes at least " + std::to_string(least) + more);
}

void parse_inputs(const Options& options, Plan& plan) {
  if (options.inputs == "1") return;
  const std::string flag = "--inputs " + options.inputs;
  if (options.input.n.empty())
    throw Error(ErrorKind::usage, flag + ": new inputs are drawn from --dist; given terms are one input");
  if (!options.samples.empty())
    throw Error(ErrorKind::usage, flag + " with --samples: every input has one draw; give --inputs alone");
  plan.new_inputs = true;
  if (options.inputs == "auto") return;
  plan.draws = parse_count("--inputs", options.inputs, 1, RandomStream::kSampleLimit / 2);
  require_draws(plan, flag, " (one draw each, so that they are independent), or --inputs auto");
}

Plan parse_plan(const Options& options) {
  Plan plan{.order = options.order.parse()[0]};
  plan.seed = options.input.seed_value();
  plan.coverage = parse_fraction("--coverage", options.coverage);
  plan.confidence = parse_fraction("--confidence", options.confidence);
  plan.against = parse_against(options.against);
  plan.memory_bytes = static_cast<double>(parse_count("--memory", options.memory, 1));
  plan.threads = parse_threads(options.threads);
  plan.progress = !options.output.quiet;
  if (!options.samples.empty()) {
    const std::uint64_t runs = plan.against == Against::run ? 2 : 1;
    plan.draws = parse_count("--samples", options.samples, 1, RandomStream::kSampleLimit) / runs;
    require_draws(plan, "--samples " + options.samples, runs == 2 ? " pairs, two samples each" : "");
  }
  parse_inputs(options, plan);
  return plan;
}

ToleranceReport describe(const Plan& plan, const InputReport& input) {
  ToleranceReport report;
  report.input = input;
  report.asked = {plan.order.expression(), arrival_of(plan.order)};
  report.name = plan.order.name();
  report.guarantee = name_of(plan.order.guarantee());
  report.warnings = plan.order.warnings();
  report.against = plan.against;
  report.coverage = plan.coverage;
  report.confidence = plan.confidence;
  report.seed = plan.seed;
  if (!plan.new_inputs) report.samples_asked = plan.draws;
  report.condition = condition_number(input.exact, input.sum_abs);
  return report;
}

SampleOptions sample_options(Session& session, const Plan& plan, ProgressBar& bar) {
  if (session.stoppable != nullptr) *session.stoppable = true;
  SampleOptions options;
  options.threads = plan.threads;
  options.stop = session.stop;
  options.progress = [&bar](std::uint64_t done, std::uint64_t total) { bar.advanced(done, total); };
  return options;
}

// All orders of one input, where they are few enough to know exactly; empty otherwise.
std::optional<Enumeration> all_results(Session& session, const Plan& plan, const Evaluator& evaluator) {
  if (!plan.order.random()) {
    const Evaluation e = evaluator.evaluate(0, *evaluator.make_scratch());
    Enumeration one;
    one.orders = "1";
    one.results.push_back({e.bits, e.value, "1", 1.0});
    return one;
  }
  const RecognizedSpace recognized = order_space(evaluator);
  if (plan.draws || !recognized.space || !worth_enumerating(*recognized.space)) return std::nullopt;
  ProgressBar bar(session, "enumerating", plan.progress);
  EnumerateOptions options;
  options.memory_bytes = plan.memory_bytes;
  options.threads = plan.threads;
  options.stop = session.stop;
  options.progress = [&bar](std::uint64_t done, std::uint64_t total) { bar.advanced(done, total); };
  if (session.stoppable != nullptr) *session.stoppable = true;
  try {
    return enumerate(*recognized.space, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsupported) throw;
    return std::nullopt;  // outgrew the memory: sampled instead
  }
}

void fill_exact(ToleranceReport& report, const Plan& plan, const Evaluator& evaluator, const Yardstick& yardstick,
                const Enumeration& results) {
  const ExactDeviations exact = exact_deviations(results, yardstick, plan.against, plan.coverage);
  report.method = plan.order.random() ? ToleranceMethod::enumerated : ToleranceMethod::one_order;
  report.orders = results.orders;
  report.limit = exact.limit;
  report.largest = exact.largest;
  report.nonfinite = exact.nonfinite;
  SampleOptions some;
  some.end = plan.order.random() ? kBoundSamples : 1;
  some.threads = plan.threads;
  const DeviationTally seen = sample_deviations(evaluator, yardstick, Against::exact, 1, some);
  report.bounds =
      bounds_beside(seen, report.input.formats, report.input.n, report.input.sum_abs.to_double(), plan.against);
}

// How many draws, said before they start.
SamplingRule announce(Session& session, const Plan& plan) {
  SamplingRule rule = sampling_rule(plan.coverage, plan.confidence);
  if (!plan.draws && rule.samples > kMostSamples)
    throw Error(ErrorKind::usage, words(plan) + ": needs " + std::to_string(rule.samples) +
                                      " draws; ask for less, or for so many by --" +
                                      (plan.new_inputs ? "inputs" : "samples"));
  if (plan.draws) rule = {*plan.draws, limit_rank(*plan.draws, plan.coverage, plan.confidence)};
  const bool pairs = plan.against == Against::run;
  const char* one_input = pairs ? " pairs of samples" : " samples";
  const char* what = !plan.new_inputs ? one_input
                     : pairs          ? " inputs, a pair of samples each"
                                      : " inputs, a sample each";
  if (plan.progress)
    session.err << "orderlab: tolerance: needs " << rule.samples << what << ": " << words(plan) << ", number "
                << rule.rank << " from the top is the tolerance\n";
  return rule;
}

// False when too few draws were done for any limit.
bool fill_sampled(ToleranceReport& report, const Plan& plan, const DeviationTally& tally, std::uint64_t wanted) {
  report.method = ToleranceMethod::sampled;
  report.draws = tally.draws();
  report.partial = tally.draws() < wanted;
  report.rank = limit_rank(tally.draws(), plan.coverage, plan.confidence);
  if (report.rank == 0) return false;
  report.limit = tally.limit(report.rank);
  report.largest = tally.limit(1);
  report.rms = tally.rms();
  report.nonfinite = static_cast<double>(tally.nonfinite()) / static_cast<double>(tally.draws());
  double sum_abs = report.input.sum_abs.to_double();
  if (plan.new_inputs) {
    report.inputs = tally.draws();
    report.condition = tally.condition();
    sum_abs = tally.sum_abs();
  }
  report.bounds = bounds_beside(tally, report.input.formats, report.input.n, sum_abs, plan.against);
  return true;
}

DeviationTally draw(Session& session, const Plan& plan, const Input& input, const Evaluator& evaluator,
                    const SamplingRule& rule) {
  ProgressBar bar(session, "sampling", plan.progress);
  SampleOptions options = sample_options(session, plan, bar);
  options.end = rule.samples;
  const InputReport& about = input.report;
  if (!plan.new_inputs)
    return sample_deviations(evaluator, Yardstick(about.exact, about.formats.result), plan.against, rule.rank, options);
  const InputFamily family{about.distribution, about.n, about.formats, about.input_seed};
  return sample_inputs(family, plan.order, plan.seed, plan.against, rule.rank, options);
}

int run(const Options& options, Session& session) {
  const Plan plan = parse_plan(options);
  options.output.colored(session);
  OutputTargets targets(options.output);
  if (!options.input.n.empty()) plan.order.check(parse_count("--n", options.input.n, 1), !options.input.with.empty());
  const Input input = load_input(options.input);
  const auto evaluator = make_evaluator(plan.order, input, plan.seed, plan.threads);
  const Yardstick yardstick(input.report.exact, input.report.formats.result);
  if (plan.against == Against::exact && !plan.new_inputs && yardstick.overflows())
    throw Error(ErrorKind::input, "the exact sum " + input.report.exact.decimal(4) + " overflows " +
                                      std::string(info(input.report.formats.result).name) +
                                      ": no result can be near it; give a wider result by --format, or --against run");
  ToleranceReport report = describe(plan, input.report);
  report.random_count = evaluator->random_count();

  std::optional<Enumeration> results;
  if (!plan.new_inputs) results = all_results(session, plan, *evaluator);
  if (results) {
    fill_exact(report, plan, *evaluator, yardstick, *results);
  } else {
    const SamplingRule rule = announce(session, plan);
    const DeviationTally tally = draw(session, plan, input, *evaluator, rule);
    if (!fill_sampled(report, plan, tally, rule.samples)) {
      session.err << "orderlab: tolerance: interrupted after " << tally.draws() << " draws; " << words(plan)
                  << " takes at least " << needed_samples(plan.coverage, plan.confidence) << "\n";
      return kInterrupted;
    }
  }
  if (targets.json.wanted()) targets.json.write(session, tolerance_json(report).dump(2) + "\n");
  if (targets.csv.wanted()) targets.csv.write(session, tolerance_csv(report));
  if (!options.output.quiet && !targets.silent())
    session.out << tolerance_text(report, {session.width, options.output.colored(session)});
  if (report.partial) return kInterrupted;
  return has_limit(report) ? kDone : kNoTolerance;
}

}  // namespace

extern const Command kTolerance;
const Command kTolerance{
    .name = "tolerance",
    .summary = "what to pass to a compare call, with coverage and confidence",
    .example = "orderlab tolerance --n 1e6 --order warp --format fp32 --coverage 0.999 --confidence 0.95",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      options->add_to(app, false);
      const auto flag = [&app](const char* name, std::string& text, const char* help, const char* type) {
        return app.add_option(name, text, help)->type_name(type);
      };
      flag("--coverage", options->coverage, "fraction of runs that are to pass", "FRACTION")->capture_default_str();
      flag("--confidence", options->confidence, "probability that it is that many", "FRACTION")->capture_default_str();
      flag("--against", options->against, "exact: the exact sum; run: another run", "WHAT")->capture_default_str();
      flag("--inputs", options->inputs, "new inputs, one draw each; auto: as many as it takes", "COUNT")
          ->capture_default_str();
      flag("--samples", options->samples, "draw so many orders; left out: as many as it takes", "COUNT");
      flag("--memory", options->memory, "bytes for enumerating all orders", "BYTES")->capture_default_str();
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
