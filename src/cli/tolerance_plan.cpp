#include "cli/tolerance_plan.hpp"

#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kAgainstWords[] = {"exact", "run"};

constexpr Flag kCoverage{.name = "--coverage",
                         .kind = FlagKind::fraction,
                         .value = "FRACTION",
                         .fallback = "0.999",
                         .help = "fraction of runs that must pass"};
constexpr Flag kToleranceConfidence{.name = "--confidence",
                                    .kind = FlagKind::fraction,
                                    .value = "FRACTION",
                                    .fallback = "0.95",
                                    .help = "probability that the coverage holds"};
constexpr Flag kAgainst{.name = "--against",
                        .kind = FlagKind::word,
                        .value = "WHAT",
                        .fallback = "exact",
                        .help = "exact: the exact sum; run: another run",
                        .words = kAgainstWords};
constexpr Flag kToleranceInputs{.name = "--inputs",
                                .value = "COUNT",
                                .fallback = "auto",
                                .help =
                                    "new inputs of --dist, one draw each; auto: chosen from coverage and "
                                    "confidence; 1: only the input of --input-seed"};
constexpr Flag kOutputs{
    .name = "--outputs",
    .kind = FlagKind::count,
    .value = "COUNT",
    .fallback = "1",
    .help =
        "independent outputs of a comparison, each a sum of its own terms; the tolerance covers the "
        "largest of their errors"};
constexpr Flag kToleranceSamples{
    .name = "--samples",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help = "orders to draw on one input; default: all if few, else chosen from coverage and confidence"};
constexpr auto kToleranceFlags =
    joined(kOneOrderFlags, std::array{&kCoverage, &kToleranceConfidence, &kAgainst, &kOutputs, &kToleranceInputs,
                                      &kToleranceSamples, &kQuickMemory});

}  // namespace

std::span<const Flag* const> tolerance_flags() { return kToleranceFlags; }

std::string words(const TolerancePlan& plan) {
  return "coverage " + shortest(plan.coverage) +
         (plan.outputs == 1 ? "" : " of the largest of " + std::to_string(plan.outputs) + " outputs") +
         " with confidence " + shortest(plan.confidence);
}

double coverage_of_a_draw(const TolerancePlan& plan) { return coverage_of_one(plan.coverage, plan.outputs); }

namespace {

// Error(usage), naming the least number, for fewer draws than any limit takes.
void require_draws(const TolerancePlan& plan, const std::string& asked, const std::string& more) {
  const std::uint64_t least = needed_samples(coverage_of_a_draw(plan), plan.confidence);
  if (plan.draws && *plan.draws < least)
    throw Error(ErrorKind::usage,
                asked + ": too few for " + words(plan) + ", which takes at least " + std::to_string(least) + more);
}

// Terms of --dist represent the distribution, so new inputs are the default; given terms are one input.
void parse_inputs(const CommandLine& line, TolerancePlan& plan) {
  const bool asked = line.has(kToleranceInputs);
  const bool one_input = asked && line.text(kToleranceInputs) == "1";
  if (!line.has(kN)) {
    const auto given_terms = [&](const Flag& flag, const char* why) {
      return Error(ErrorKind::usage, line.quoted(flag) + ": " + why + " from --dist; given terms are one input");
    };
    if (asked && !one_input) throw given_terms(kToleranceInputs, "new inputs are drawn");
    if (plan.outputs > 1) throw given_terms(kOutputs, "every output takes terms of its own");
    return;
  }
  if (one_input && plan.outputs > 1)
    throw Error(ErrorKind::usage, line.quoted(kOutputs) + " with --inputs 1: every output takes terms of its own");
  if (one_input) return;
  if (line.has(kToleranceSamples))
    throw Error(ErrorKind::usage, line.quoted(kToleranceSamples) +
                                      ": draws orders of one input; add --inputs 1, or use "
                                      "--inputs COUNT for new inputs");
  plan.new_inputs = true;
  if (line.text(kToleranceInputs) == "auto") return;
  plan.draws = line.count(kToleranceInputs, 1, RandomStream::kSampleLimit / 2);
  require_draws(plan, line.quoted(kToleranceInputs),
                " (one draw each, so that they are independent), or --inputs auto");
}

}  // namespace

TolerancePlan parse_plan(const CommandLine& line, FileTable& files) {
  TolerancePlan plan{.order = order_of(line, files)};
  plan.seed = line.count(kSeed);
  plan.coverage = line.fraction(kCoverage);
  plan.confidence = line.fraction(kToleranceConfidence);
  plan.outputs = line.count(kOutputs, 1, kMostSamples);
  plan.against = line.word(kAgainst) == "run" ? Against::run : Against::exact;
  plan.memory_bytes = memory_budget(line);
  plan.threads = threads_of(line);
  plan.progress = !line.has(kQuiet);
  if (line.has(kToleranceSamples)) {
    const std::uint64_t runs = plan.against == Against::run ? 2 : 1;
    plan.draws = line.count(kToleranceSamples, 1, RandomStream::kSampleLimit) / runs;
    require_draws(plan, line.quoted(kToleranceSamples), runs == 2 ? " pairs, two samples each" : "");
  }
  parse_inputs(line, plan);
  return plan;
}

}  // namespace orderlab::cli
