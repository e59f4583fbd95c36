#include "cli/tolerance_plan.hpp"

#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::cli {

std::string words(const TolerancePlan& plan) {
  return "coverage " + shortest(plan.coverage) + " with confidence " + shortest(plan.confidence);
}

namespace {

Against parse_against(const std::string& text) {
  if (text == "exact") return Against::exact;
  if (text == "run") return Against::run;
  throw Error(ErrorKind::usage, "--against " + text + ": must be exact (the exact sum) or run (another run)");
}

// Error(usage), naming the least number, for fewer draws than any limit takes.
void require_draws(const TolerancePlan& plan, const std::string& asked, const std::string& more) {
  const std::uint64_t least = needed_samples(plan.coverage, plan.confidence);
  if (plan.draws && *plan.draws < least)
    throw Error(ErrorKind::usage,
                asked + ": too few for " + words(plan) + ", which takes at least " + std::to_string(least) + more);
}

void parse_inputs(const ToleranceOptions& options, TolerancePlan& plan) {
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

}  // namespace

TolerancePlan parse_plan(const ToleranceOptions& options) {
  TolerancePlan plan{.order = options.order.parse()[0]};
  plan.seed = options.input.seed_value();
  plan.coverage = parse_fraction("--coverage", options.coverage);
  plan.confidence = parse_fraction("--confidence", options.confidence);
  plan.against = parse_against(options.against);
  plan.memory_bytes = memory_budget(options.memory);
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

}  // namespace orderlab::cli
