#include "show/tolerance_operation_fields.hpp"

#include <string>

#include "core/enum_names.hpp"
#include "show/csv_cell.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation_shared_fields.hpp"
#include "show/tolerance_of_operation.hpp"
#include "show/tolerance_words.hpp"
#include "study/tolerance_options.hpp"

namespace orderlab::described {

namespace {

using study::OperationToleranceFinding;
using study::OutputLimit;
namespace k = kinds;

constexpr std::string_view kOutputsAgainstHelp = "What outputs are compared with: exact results, or another run";

constexpr Field kToleranceOperationConfigFields[] = {
    merged<&OperationToleranceFinding::input>(kOperationConfig),
    unit_arrival<&OperationToleranceFinding::arrival>(),
    value<&OperationToleranceFinding::coverage>("coverage", k::kProbability,
                                                "Fraction of runs of which all outputs must pass"),
    value<&OperationToleranceFinding::confidence>(study::kConfidenceOfCoverage, k::kProbability),
    word<&OperationToleranceFinding::against, names_through<Against::run>()>("against", k::kText, kOutputsAgainstHelp),
    value<&OperationToleranceFinding::samples_asked>("samples", k::kCount, "Number of runs to draw",
                                                     {.null = ": as many as needed"}),
    value<&OperationToleranceFinding::seed>(study::kSeed, k::kCount),
};
constexpr TableOf<OperationToleranceFinding> kToleranceOperationConfig{{.key = "config",
                                                                        .title = "Operation tolerance config",
                                                                        .help = kConfigSentence,
                                                                        .fields = kToleranceOperationConfigFields}};

constexpr Field kOutputLimitFields[] = {
    value<&OutputLimit::absolute>("atol", k::kMagnitude, "Absolute difference: an atol that suffices alone",
                                  {.cell = {"atol alone"}}),
    value<&OutputLimit::relative>("rtol", k::kMagnitude,
                                  "Relative difference: an rtol that suffices alone; inf where an output of 0 moves",
                                  {.cell = {"rtol alone"}}),
    value<&OutputLimit::beside_rtol>("atol_beside_rtol", k::kMagnitude, "An atol that suffices beside rtol_of_beside",
                                     {.cell = {"atol beside rtol"}}),
    value<&OutputLimit::ulp>("ulp", k::kMagnitude, "In ulps of the exact result",
                             {.cell = {"ulps of the exact result"}}),
    value<&OutputLimit::magnitude>("of_magnitude", k::kMagnitude, "Relative to sum|x| of the output",
                                   {.cell = {"relative to sum|x|"}}),
};
constexpr TableOf<OutputLimit> kObservedOutputs{{.key = "observed",
                                                 .title = "Observed output deviations",
                                                 .help = "The largest deviation that was drawn, by each measure.",
                                                 .fields = kOutputLimitFields}};

constexpr Field kToleranceOperationLineFields[] = {
    value("torch", k::kText, "For torch.testing; a sentence where there is no finite tolerance",
          [](const OperationToleranceFinding& f) { return line_to_paste(f); }),
};
constexpr TableOf<OperationToleranceFinding> kToleranceOperationLines{{.key = "lines",
                                                                       .title = "Operation tolerance lines",
                                                                       .help = "Lines to paste into a test.",
                                                                       .fields = kToleranceOperationLineFields}};

}  // namespace

constexpr TableOf<OutputLimit> kOutputLimits{
    {.key = "limits",
     .title = "Output limits",
     .help = "The limit of the largest deviation of all outputs, by each measure.",
     .fields = kOutputLimitFields}};

namespace {

constexpr Field kToleranceOperationFields[] = {
    head<OperationToleranceFinding>(),
    command<OperationToleranceFinding>(R"("tolerance")"),
    group("config", kToleranceOperationConfig),
    partial<&OperationToleranceFinding::partial>(),
    merged<&OperationToleranceFinding::input>(kOperation),
    word<&OperationToleranceFinding::against, names_through<Against::run>()>("against", k::kText, kOutputsAgainstHelp),
    value("samples", k::kCount, "Number of runs that were drawn",
          [](const OperationToleranceFinding& f) { return f.draws * results_per_draw(f.against); }),
    value<&OperationToleranceFinding::rank>("rank", k::kSome,
                                            "The limit is the draw of this rank, counted from the largest"),
    value<&OperationToleranceFinding::reached>("coverage", k::kProbability, kReachedHelp),
    value<&OperationToleranceFinding::rtol>("rtol_of_beside", k::kMagnitude,
                                            "The rtol of atol_beside_rtol: the default of torch.testing.assert_close"),
    part<&OperationToleranceFinding::limit>("tolerance", kOutputLimits),
    part<&OperationToleranceFinding::largest>("observed", kObservedOutputs),
    value<&OperationToleranceFinding::nonfinite>("nonfinite", k::kProbability, "Fraction of draws with inf or NaN"),
    group("lines", kToleranceOperationLines),
    part<&OperationToleranceFinding::batches>("batches", kBatchSize, kBatchesHelp),
};

}  // namespace

constexpr TableOf<OperationToleranceFinding> kToleranceOperationDocument{
    {.key = "tolerance_operation",
     .title = "Operation tolerance",
     .help = "Written by `orderlab tolerance --op ... --json`: which tolerance a comparison of whole arrays needs.",
     .fields = kToleranceOperationFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::OperationToleranceFinding& finding) {
  return json_document(to_json(described::kToleranceOperationDocument, finding));
}

std::string to_csv(const study::OperationToleranceFinding& finding) {
  std::string csv = csv_line({"measure", "tolerance", "largest"});
  for (const described::Field& measure : described::kOutputLimits.fields)
    csv += csv_line({std::string(measure.name), *measure.get(&finding.limit), *measure.get(&finding.largest)});
  return csv;
}

}  // namespace orderlab
