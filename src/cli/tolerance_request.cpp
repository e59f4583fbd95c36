#include "cli/tolerance_request.hpp"

#include "cli/operation_flags.hpp"
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
constexpr auto kToleranceFlags = joined(kOneOrderFlags, kOperationFlags,
                                        std::array{&kCoverage, &kToleranceConfidence, &kAgainst, &kOutputs,
                                                   &kToleranceInputs, &kToleranceSamples, &kQuickMemory});

// Terms of --dist represent the distribution, so new inputs are the default; given terms are one input.
void parse_inputs(const CommandLine& line, study::ToleranceRequest& request) {
  const bool asked = line.has(kToleranceInputs);
  const bool one_input = asked && line.text(kToleranceInputs) == "1";
  if (!line.has(kN)) {
    const auto given_terms = [&](const Flag& flag, const char* why) {
      return Error(ErrorKind::usage, line.quoted(flag) + ": " + why + " from --dist; given terms are one input");
    };
    if (asked && !one_input) throw given_terms(kToleranceInputs, "new inputs are drawn");
    if (request.outputs > 1) throw given_terms(kOutputs, "every output takes terms of its own");
    return;
  }
  if (one_input && request.outputs > 1)
    throw Error(ErrorKind::usage, line.quoted(kOutputs) + " with --inputs 1: every output takes terms of its own");
  if (one_input) return;
  if (line.has(kToleranceSamples))
    throw Error(ErrorKind::usage, line.quoted(kToleranceSamples) +
                                      ": draws orders of one input; add --inputs 1, or use "
                                      "--inputs COUNT for new inputs");
  request.new_inputs = true;
  if (line.text(kToleranceInputs) == "auto") return;
  request.inputs = line.count(kToleranceInputs, 1, RandomStream::kSampleLimit / 2);
}

}  // namespace

study::OperationToleranceRequest parse_tolerance_of_operation(const CommandLine& line) {
  for (const Flag* flag : {&kOutputs, &kToleranceInputs, &kQuickMemory})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) +
                                        ": is about sums of one output; leave it out with --op, which covers the "
                                        "largest of all outputs on one input");
  study::OperationToleranceRequest request;
  request.arrival = arrival_of_units(line);
  request.coverage = line.fraction(kCoverage);
  request.confidence = line.fraction(kToleranceConfidence);
  request.against = line.word(kAgainst) == "run" ? Against::run : Against::exact;
  request.samples = line.count_if_any(kToleranceSamples, 1, RandomStream::kSampleLimit / 2);
  request.seed = line.count(kSeed);
  request.threads = threads_of(line);
  validate(request);
  return request;
}

std::span<const Flag* const> tolerance_flags() { return kToleranceFlags; }

study::ToleranceRequest parse_tolerance(const CommandLine& line, FileTable& files) {
  const bool named = line.has(kOrder);
  study::ToleranceRequest request{
      .order = named ? order_of(line, files) : parse_order(study::kOrderOfUnknown, line.text(kArrival)),
      .order_assumed = !named};
  request.seed = line.count(kSeed);
  request.coverage = line.fraction(kCoverage);
  request.confidence = line.fraction(kToleranceConfidence);
  request.outputs = line.count(kOutputs, 1, kMostSamples);
  request.against = line.word(kAgainst) == "run" ? Against::run : Against::exact;
  request.memory_bytes = quick_memory_of(line);
  request.threads = threads_of(line);
  request.samples = line.count_if_any(kToleranceSamples, 1, RandomStream::kSampleLimit);
  parse_inputs(line, request);
  validate(request);
  return request;
}

}  // namespace orderlab::cli
