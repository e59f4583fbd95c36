#include "show/enumerate_operation_fields.hpp"

#include <cstddef>
#include <optional>
#include <string>

#include "operation/exact_rows.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation.hpp"
#include "show/operation_outcomes.hpp"
#include "show/operation_shared_fields.hpp"

namespace orderlab::described {

namespace {

using study::OperationEnumerateFinding;
namespace k = kinds;

/// One result of one output.
struct OutcomeRow {
  const OperationEnumerateFinding& finding;
  std::size_t output;
  const OutputResult& result;

  Format format() const { return finding.sums->result_format(); }
  double value() const { return value_of_bits(format(), result.bits); }
  double error_ulp() const {
    const ExactRows& exact = *finding.exact;
    return ((value() - exact.high[output]) - exact.low[output]) / exact.ulp[output];
  }
};
constexpr More kOutcomeCell{.where = Where::csv};
constexpr Field kOutcomeRowFields[] = {
    value<&OutcomeRow::output>("output", k::kCount, kOutputHelp, kOutcomeCell),
    value(
        "index", k::kText, kIndexHelp, [](const OutcomeRow& r) { return index_text(r.finding.input.shape, r.output); },
        kOutcomeCell),
    value(
        "bits", k::kBits, kResultBitsHelp, [](const OutcomeRow& r) { return bits_text(r.format(), r.result.bits); },
        kOutcomeCell),
    value(
        "value", k::kNumber, "The result", [](const OutcomeRow& r) { return r.value(); }, kOutcomeCell),
    value(
        "probability", k::kProbability, "Share of the arrival orders that give it",
        [](const OutcomeRow& r) { return r.result.probability; }, kOutcomeCell),
    value(
        "error_ulp", k::kNumber, "Result minus exact result, in ulps of the exact result",
        [](const OutcomeRow& r) { return r.error_ulp(); }, kOutcomeCell),
};
constexpr TableOf<OutcomeRow> kOutcomeRow{
    {.key = "outcome", .title = "Outcome", .help = "One result of one output.", .fields = kOutcomeRowFields}};

constexpr Field kEnumerateOperationConfigFields[] = {
    merged<&OperationEnumerateFinding::input>(kOperationConfig),
    value<&OperationEnumerateFinding::baseline_text>("baseline", k::kText, kOutputBaselineTextHelp),
};
constexpr TableOf<OperationEnumerateFinding> kEnumerateOperationConfig{{.key = "config",
                                                                        .title = "Operation enumeration config",
                                                                        .help = kConfigSentence,
                                                                        .fields = kEnumerateOperationConfigFields}};

constexpr Field kExpectedVcFields[] = {
    value("exact_expectation", k::kFraction, "The mean",
          [](const OperationEnumerateFinding& f) {
            return f.vc_low == f.vc_high ? std::optional(f.vc_low) : std::nullopt;
          },
          {.null = "where outputs that were not enumerated leave it open"}),
    value<&OperationEnumerateFinding::vc_low>("low", k::kFraction, "Lower end of what is possible"),
    value<&OperationEnumerateFinding::vc_high>("high", k::kFraction, "Upper end of what is possible"),
};
constexpr TableOf<OperationEnumerateFinding> kExpectedVc{
    {.key = "vc",
     .title = "Expected Vc",
     .help = "Mean over all arrival orders of the share of the outputs whose bits differ from the baseline.",
     .fields = kExpectedVcFields}};

constexpr Field kExpectedVcOfOrderFields[] = {
    value<&OperationEnumerateFinding::vc_order_low>("low", k::kFraction, "Lower end"),
    value<&OperationEnumerateFinding::vc_order_high>("high", k::kFraction,
                                                     "Upper end: the same where all outputs were enumerated"),
};
constexpr TableOf<OperationEnumerateFinding> kExpectedVcOfOrder{{.key = "vc_of_order",
                                                                 .title = "Expected Vc of order",
                                                                 .help = "The same of differences from launch order.",
                                                                 .fields = kExpectedVcOfOrderFields}};

constexpr Field kMostResultsFields[] = {
    value<&OperationEnumerateFinding::most_results>("results", k::kSome, "Its number of results"),
    value<&OperationEnumerateFinding::most_results_output>("output", k::kCount, kOutputNumberHelp),
};
constexpr TableOf<OperationEnumerateFinding> kMostResults{{.key = "most_results",
                                                           .title = "Most results",
                                                           .help = "The output with the most results.",
                                                           .fields = kMostResultsFields}};

constexpr Field kLargestMovementFields[] = {
    value<&OperationEnumerateFinding::largest_movement>("ulp", k::kMagnitude,
                                                        "Greatest minus least result, in ulps of the exact result"),
    value<&OperationEnumerateFinding::largest_movement_output>("output", k::kCount, kOutputNumberHelp),
};
constexpr TableOf<OperationEnumerateFinding> kLargestMovement{{.key = "largest_movement",
                                                               .title = "Largest movement",
                                                               .help = "The output whose results lie farthest apart.",
                                                               .fields = kLargestMovementFields}};

constexpr Field kLargestErrorFields[] = {
    value<&OperationEnumerateFinding::largest_error>("ulp", k::kMagnitude, "The error in ulps of the exact result"),
    value<&OperationEnumerateFinding::largest_error_output>("output", k::kCount, kOutputNumberHelp),
};
constexpr TableOf<OperationEnumerateFinding> kLargestError{{.key = "largest_error",
                                                            .title = "Largest error",
                                                            .help = "The output with the greatest error.",
                                                            .fields = kLargestErrorFields}};

constexpr Field kEnumerateOperationFields[] = {
    head<OperationEnumerateFinding>(),
    command<OperationEnumerateFinding>(R"("enumerate")"),
    group("config", kEnumerateOperationConfig),
    merged<&OperationEnumerateFinding::input>(kOperation),
    output_baseline<&OperationEnumerateFinding::baseline>(),
    group("vc", kExpectedVc),
    group("vc_of_order", kExpectedVcOfOrder),
    value<&OperationEnumerateFinding::several>("several_results", k::kCount,
                                               "Number of outputs with more than one result"),
    value<&OperationEnumerateFinding::not_enumerated>("not_enumerated", k::kCount,
                                                      "Number of outputs with too many units to enumerate all orders"),
    part<&OperationEnumerateFinding::by_results>("outputs_by_results", kOutputBin,
                                                 "Outputs by their number of results"),
    group("most_results", kMostResults),
    group("largest_movement", kLargestMovement),
    group("largest_error", kLargestError),
};

}  // namespace

constexpr TableOf<OperationEnumerateFinding> kEnumerateOperationDocument{
    {.key = "enumerate_operation",
     .title = "Operation enumeration",
     .help = "Written by `orderlab enumerate --op ... --json`: all results of each output where all arrival orders are "
             "equally likely.",
     .fields = kEnumerateOperationFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::OperationEnumerateFinding& finding) {
  return json_document(to_json(described::kEnumerateOperationDocument, finding));
}

std::string to_csv(const study::OperationEnumerateFinding& finding) {
  std::string csv = csv_titles(described::kOutcomeRow);
  const auto varying = finding.sums->varying();
  for (std::size_t i = 0; i < varying.size(); ++i)
    for (const OutputResult& result : finding.results[i])
      csv += csv_row(described::kOutcomeRow, {finding, varying[i], result});
  return csv;
}

}  // namespace orderlab
