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
                         .help = "fraction of runs that are to pass"};
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
                                .fallback = "1",
                                .help = "new inputs, one draw each; auto: chosen from coverage and confidence"};
constexpr Flag kToleranceSamples{
    .name = "--samples",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help = "orders to draw; if left out, all of few, or chosen from coverage and confidence"};
constexpr auto kToleranceFlags = joined(
    kOneOrderFlags,
    std::array{&kCoverage, &kToleranceConfidence, &kAgainst, &kToleranceInputs, &kToleranceSamples, &kQuickMemory});

}  // namespace

std::span<const Flag* const> tolerance_flags() { return kToleranceFlags; }

std::string words(const TolerancePlan& plan) {
  return "coverage " + shortest(plan.coverage) + " with confidence " + shortest(plan.confidence);
}

namespace {

// Error(usage), naming the least number, for fewer draws than any limit takes.
void require_draws(const TolerancePlan& plan, const std::string& asked, const std::string& more) {
  const std::uint64_t least = needed_samples(plan.coverage, plan.confidence);
  if (plan.draws && *plan.draws < least)
    throw Error(ErrorKind::usage,
                asked + ": too few for " + words(plan) + ", which takes at least " + std::to_string(least) + more);
}

void parse_inputs(const CommandLine& line, TolerancePlan& plan) {
  if (line.text(kToleranceInputs) == kToleranceInputs.fallback) return;
  const std::string flag = line.quoted(kToleranceInputs);
  if (!line.has(kN))
    throw Error(ErrorKind::usage, flag + ": new inputs are drawn from --dist; given terms are one input");
  if (line.has(kToleranceSamples))
    throw Error(ErrorKind::usage, flag + " with --samples: every input has one draw; give --inputs alone");
  plan.new_inputs = true;
  if (line.text(kToleranceInputs) == "auto") return;
  plan.draws = line.count(kToleranceInputs, 1, RandomStream::kSampleLimit / 2);
  require_draws(plan, flag, " (one draw each, so that they are independent), or --inputs auto");
}

}  // namespace

TolerancePlan parse_plan(const CommandLine& line, FileTable& files) {
  TolerancePlan plan{.order = order_of(line, files)};
  plan.seed = line.count(kSeed);
  plan.coverage = line.fraction(kCoverage);
  plan.confidence = line.fraction(kToleranceConfidence);
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
