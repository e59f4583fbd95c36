#include "show/sum_operation_fields.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "operation/exact_rows.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation_shared_fields.hpp"
#include "show/output_numbers.hpp"
#include "show/sum_operation.hpp"

namespace orderlab::described {

namespace {

using study::OperationSumFinding;
namespace k = kinds;

constexpr std::size_t kListedOutputs = 100;

/// One output.
struct OutputSum {
  const OperationSumFinding* finding;
  std::size_t output;

  double value() const { return finding->results.view().left(output); }
  std::string bits() const {
    const Format format = finding->results.format();
    return bits_text(format, round_to_bits(format, value()));
  }
  double error_ulp() const { return ulp_error(*finding->exact, output, value()); }
};

std::vector<OutputSum> first_outputs(const OperationSumFinding& finding, std::size_t count) {
  std::vector<OutputSum> rows;
  for (std::size_t r = 0; r < std::min(count, finding.results.size()); ++r) rows.push_back({&finding, r});
  return rows;
}

constexpr More kBothOutput{.where = Where::both};
constexpr Field kOutputSumFields[] = {
    value<&OutputSum::output>("output", k::kCount, kOutputHelp, kBothOutput),
    value(
        "index", k::kText, kIndexHelp, [](const OutputSum& r) { return index_text(r.finding->input.shape, r.output); },
        kBothOutput),
    value(
        "result", k::kNumber, "The result", [](const OutputSum& r) { return r.value(); }, kBothOutput),
    value(
        "bits", k::kBits, "Its bits", [](const OutputSum& r) { return r.bits(); }, kBothOutput),
    value(
        "exact", k::kNumber, "The exact result, rounded to fp64",
        [](const OutputSum& r) { return r.finding->exact->high[r.output]; }, kBothOutput),
    value(
        "error_ulp", k::kMagnitude, "Its error, in ulps of the exact result",
        [](const OutputSum& r) { return r.error_ulp(); }, kBothOutput),
};
constexpr TableOf<OutputSum> kOutputSum{
    {.key = "output", .title = "Output sum", .help = "One output.", .fields = kOutputSumFields}};

constexpr Field kSumOperationConfigFields[] = {
    merged<&OperationSumFinding::input>(kOperationConfig),
    unit_arrival<&OperationSumFinding::arrival>(),
};
constexpr TableOf<OperationSumFinding> kSumOperationConfig{
    {.key = "config", .title = "Operation sum config", .help = kConfigSentence, .fields = kSumOperationConfigFields}};

constexpr Field kSumOperationFields[] = {
    head<OperationSumFinding>(),
    command<OperationSumFinding>(R"("sum")"),
    group("config", kSumOperationConfig),
    merged<&OperationSumFinding::input>(kOperation),
    value("hash", k::kHash, "Hash of the results in C order, little endian",
          [](const OperationSumFinding& f) { return f.results.hash(); }),
    value<&OperationSumFinding::not_nearest>("not_nearest", k::kCount,
                                             "Outputs that are not the exact result rounded to nearest"),
    value<&OperationSumFinding::nonfinite>("nonfinite", k::kCount, "Outputs that are infinite or NaN"),
    value<&OperationSumFinding::largest_error>("max_error_ulp", k::kMagnitude,
                                               "Greatest error that is finite, in ulps of the exact result"),
    value<&OperationSumFinding::farthest>("farthest", k::kCount, "The output that has it, from 0 in C order",
                                          {.null = "where every result is exact"}),
    part("results", kOutputSum, "The first 100 outputs",
         [](const OperationSumFinding& f) { return first_outputs(f, kListedOutputs); }),
};

}  // namespace

constexpr TableOf<OperationSumFinding> kSumOperationDocument{
    {.key = "sum_operation",
     .title = "Operation sum",
     .help = "Written by `orderlab sum --op ... --json`: all outputs of an operation by one fixed order.",
     .fields = kSumOperationFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::OperationSumFinding& finding) {
  return json_document(to_json(described::kSumOperationDocument, finding));
}

std::string to_csv(const study::OperationSumFinding& finding) {
  return csv_table(described::kOutputSum, described::first_outputs(finding, finding.results.size()));
}

std::string to_npy(const study::OperationSumFinding& finding) {
  return npy_bytes(finding.results.format(), finding.input.shape, finding.results.bytes());
}

std::vector<OutputNumbers> output_numbers(const study::OperationSumFinding& finding) {
  const std::size_t outputs = finding.results.size();
  return described::numbers_of_outputs(described::kOutputSum, outputs, [&](const auto& use) {
    for (const auto& row : described::first_outputs(finding, outputs)) use(row);
  });
}

}  // namespace orderlab
