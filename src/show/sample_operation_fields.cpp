#include "show/sample_operation_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/enum_names.hpp"
#include "operation/exact_rows.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation.hpp"
#include "show/operation_shared_fields.hpp"
#include "show/output_numbers.hpp"
#include "study/sample_options.hpp"

namespace orderlab::described {

namespace {

using study::OperationMeasures;
using study::OperationSampleFinding;
using study::OutputPart;
namespace k = kinds;

/// One output.
struct OutputRow {
  const OperationSampleFinding& finding;
  std::size_t output;
  std::optional<std::size_t> place;  ///< among those that vary

  double launch() const { return finding.sums->launch().view().left(output); }
  double least() const { return place ? std::min(finding.tally.least[*place], launch()) : launch(); }
  double greatest() const { return place ? std::max(finding.tally.greatest[*place], launch()) : launch(); }
  double baseline() const { return finding.baseline_results.view().left(output); }
  std::uint64_t different() const {
    if (place) return finding.tally.different[*place];
    const Format format = finding.sums->result_format();
    return round_to_bits(format, launch()) != round_to_bits(format, baseline()) ? finding.samples : 0;
  }
  double error_ulp() const {
    return std::max(ulp_error(*finding.exact, output, least()), ulp_error(*finding.exact, output, greatest()));
  }
};

constexpr More kOutputCell{.where = Where::csv};
constexpr Field kOutputRowFields[] = {
    value<&OutputRow::output>("output", k::kCount, kOutputHelp, kOutputCell),
    value(
        "index", k::kText, kIndexHelp, [](const OutputRow& r) { return index_text(r.finding.input.shape, r.output); },
        kOutputCell),
    value(
        "varies", k::kCount, "1 if some arrival order may change it, else 0",
        [](const OutputRow& r) { return r.place ? 1U : 0U; }, kOutputCell),
    value(
        "exact", k::kNumber, "The exact result, rounded to fp64",
        [](const OutputRow& r) { return r.finding.exact->high[r.output]; }, kOutputCell),
    value(
        "baseline", k::kNumber, "The result of the baseline", [](const OutputRow& r) { return r.baseline(); },
        kOutputCell),
    value(
        "launch", k::kNumber, "The result in launch order", [](const OutputRow& r) { return r.launch(); }, kOutputCell),
    value(
        "least", k::kNumber, "The least result", [](const OutputRow& r) { return r.least(); }, kOutputCell),
    value(
        "greatest", k::kNumber, "The greatest result", [](const OutputRow& r) { return r.greatest(); }, kOutputCell),
    value(
        "different", k::kCount, "Number of samples whose bits differ from the baseline",
        [](const OutputRow& r) { return r.different(); }, kOutputCell),
    value(
        "samples", k::kCount, "Number of samples", [](const OutputRow& r) { return r.finding.samples; }, kOutputCell),
    value(
        "max_error_ulp", k::kMagnitude, "Greatest error, in ulps of the exact result",
        [](const OutputRow& r) { return r.error_ulp(); }, kOutputCell),
};
constexpr TableOf<OutputRow> kOutputRow{
    {.key = "output", .title = "Output", .help = "One output.", .fields = kOutputRowFields}};

// Calls use(row) for each output.
template <class Use>
void for_each_output(const OperationSampleFinding& finding, const Use& use) {
  const auto varying = finding.sums->varying();
  std::size_t next = 0;
  for (std::size_t r = 0; r < finding.input.outputs; ++r) {
    OutputRow row{finding, r, std::nullopt};
    if (next < varying.size() && varying[next] == r) row.place = next++;
    use(row);
  }
}

constexpr Field kSampleOperationConfigFields[] = {
    merged<&OperationSampleFinding::input>(kOperationConfig),
    unit_arrival<&OperationSampleFinding::arrival>(),
    value<&OperationSampleFinding::samples_asked>("samples", k::kSome, "Number of runs to draw"),
    value<&OperationSampleFinding::seed>(study::kSeed, k::kCount),
    value<&OperationSampleFinding::baseline_text>("baseline", k::kText, kOutputBaselineTextHelp),
};
constexpr TableOf<OperationSampleFinding> kSampleOperationConfig{{.key = "config",
                                                                  .title = "Operation sample config",
                                                                  .help = kConfigSentence,
                                                                  .fields = kSampleOperationConfigFields}};

constexpr Field kOutputPartFields[] = {
    value<&OutputPart::first>("first", k::kCount, "Number of the first output, from 0 in C order"),
    value<&OutputPart::outputs>("outputs", k::kSome, "Number of outputs"),
    value<&OutputPart::vc>("vc", k::kProbability, "Mean share that differs from the baseline"),
    value<&OutputPart::movement>("median_movement_ulp", k::kMagnitude,
                                 "Median of greatest minus least result, in ulps of the exact result"),
};
constexpr TableOf<OutputPart> kOutputPart{
    {.key = "part", .title = "Output part", .help = "Neighbouring outputs.", .fields = kOutputPartFields}};

constexpr Field kFirstDifferentFields[] = {
    value<&RunSummary::min>("min", k::kFraction, "Least"),
    value<&RunSummary::median>("median", k::kFraction, "Median"),
    value<&RunSummary::max>("max", k::kFraction, "Greatest"),
};
constexpr TableOf<RunSummary> kFirstDifferent{
    {.key = "first_different", .title = "First different", .help = {}, .fields = kFirstDifferentFields}};

constexpr Field kSampleOperationFields[] = {
    head<OperationSampleFinding>(),
    command<OperationSampleFinding>(R"("sample")"),
    group("config", kSampleOperationConfig),
    partial<&OperationSampleFinding::partial>(),
    merged<&OperationSampleFinding::input>(kOperation),
    merged([](const OperationSampleFinding& f) -> const OperationMeasures& { return f; }, kOperationMeasures),
    part<&OperationSampleFinding::by_frequency>(
        "outputs_by_frequency", kOutputBin,
        "Outputs by the share of samples in which they differ from the baseline, from 0 to 1"),
    part<&OperationSampleFinding::by_movement>("outputs_by_movement_ulp", kOutputBin,
                                               "Outputs by greatest minus least result, in ulps of the exact result"),
    part<&OperationSampleFinding::by_place>("outputs_by_place", kOutputPart,
                                            "Ten parts of the array in C order, or each output of a shorter one"),
    part<&OperationSampleFinding::first_different>(
        "first_different", kFirstDifferent,
        "Number of the first output in C order that differs from the baseline, over the samples that have one",
        {.null = "where no sample has"}),
    part<&OperationSampleFinding::batches>("batches", kBatchSize, kBatchesHelp),
};

}  // namespace

constexpr TableOf<OperationSampleFinding> kSampleOperationDocument{
    {.key = "sample_operation",
     .title = "Operation sample",
     .help = "Written by `orderlab sample --op ... --json`: how far the outputs of an operation move.",
     .fields = kSampleOperationFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::OperationSampleFinding& finding) {
  return json_document(to_json(described::kSampleOperationDocument, finding));
}

std::string to_csv(const study::OperationSampleFinding& finding) {
  std::string csv = csv_titles(described::kOutputRow);
  described::for_each_output(finding, [&](const auto& row) { csv += csv_row(described::kOutputRow, row); });
  return csv;
}

std::vector<OutputNumbers> output_numbers(const study::OperationSampleFinding& finding) {
  return described::numbers_of_outputs(described::kOutputRow, finding.input.outputs,
                                       [&](const auto& use) { described::for_each_output(finding, use); });
}

}  // namespace orderlab
