#include "cli/tolerance_request.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/by_group.hpp"
#include "cli/operation_flags.hpp"
#include "core/enum_names.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "study/tolerance_options.hpp"

namespace orderlab::cli {

namespace {

using study::kComparedOutputs;
using study::kToleranceSamples;

constexpr Flag kToleranceInputs{.key = "inputs",
                                .value = "COUNT",
                                .fallback = "auto",
                                .help =
                                    "new inputs of --dist, one draw each; auto: chosen from coverage, "
                                    "confidence and the cost of a draw; 1: only the input of --input-seed",
                                .low = 1,
                                .high = RandomStream::kSampleLimit / 2};
constexpr auto kToleranceFlags =
    joined(kOneOrderFlags, kOperationFlags,
           std::array{&study::kCoverage, &study::kConfidenceOfCoverage, &study::kAgainst, &kAgainstFormat,
                      &kComparedOutputs, &kToleranceInputs, &kToleranceSamples, &kQuickMemory, &kBatch, &kBy});

// Terms of --dist represent the distribution, so new inputs are the default; given terms are one input.
void parse_inputs(const CommandLine& line, study::ToleranceRequest& request) {
  const bool asked = line.has(kToleranceInputs);
  const bool one_input = asked && line.text(kToleranceInputs) == "1";
  if (!line.has(kN)) {
    const auto given_terms = [&](const Flag& flag, const char* why) {
      return Error(ErrorKind::usage, line.quoted(flag) + ": " + why + " from --dist; given terms are one input");
    };
    if (asked && !one_input) throw given_terms(kToleranceInputs, "new inputs are drawn");
    if (request.outputs > 1) throw given_terms(kComparedOutputs, "every output takes terms of its own");
    return;
  }
  if (one_input && request.outputs > 1)
    throw Error(ErrorKind::usage,
                line.quoted(kComparedOutputs) + " with --inputs 1: every output takes terms of its own");
  if (one_input) return;
  if (line.has(kToleranceSamples))
    throw Error(ErrorKind::usage, line.quoted(kToleranceSamples) +
                                      ": draws orders of one input; add --inputs 1, or use "
                                      "--inputs COUNT for new inputs");
  request.new_inputs = true;
  if (line.text(kToleranceInputs) == "auto") return;
  request.inputs = line.count(kToleranceInputs);
}

}  // namespace

study::OperationToleranceRequest parse_tolerance_of_operation(const CommandLine& line, FileTable& files) {
  for (const Flag* flag : {&kComparedOutputs, &kToleranceInputs, &kQuickMemory, &kAgainstFormat})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) +
                                        ": is about sums of one output; leave it out with --op, which covers the "
                                        "largest of all outputs on one input");
  study::OperationToleranceRequest request;
  if (const auto arrival = arrival_of_units(line, files)) request.arrival = *arrival;
  take(line, study::kToleranceOperationOptions, request);
  validate(request);
  return request;
}

std::span<const Flag* const> tolerance_flags() { return kToleranceFlags; }

std::span<const Options* const> tolerance_options() {
  static constexpr const Options* kAll[] = {&study::kToleranceOptions, &study::kToleranceOperationOptions};
  return kAll;
}

study::ToleranceRequest parse_tolerance(const CommandLine& line, FileTable& files) {
  const bool named = line.has(kOrder);
  std::optional<OtherOrder> other;
  if (study::read_against(study::kAgainst, line.text(study::kAgainst)) == Against::order) {
    constexpr auto& kWords = names_through<Against::run>();
    other = other_order_of(line, study::kAgainst, files, std::vector<std::string>(kWords.begin(), kWords.end()));
  } else {
    refuse_formats_alone(line);
  }
  study::ToleranceRequest request{.order = named ? order_of(line, files, other ? &study::kAgainst : nullptr)
                                                 : parse_order(study::kOrderOfUnknown, line.text(kArrival)),
                                  .order_assumed = !named,
                                  .other = std::move(other)};
  take(line, study::kToleranceOptions, request);
  parse_inputs(line, request);
  validate(request);
  return request;
}

}  // namespace orderlab::cli
