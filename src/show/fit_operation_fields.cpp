#include "show/fit_operation_fields.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/fit_operation.hpp"
#include "show/input_json.hpp"
#include "show/operation_shared_fields.hpp"
#include "study/fit_options.hpp"

namespace orderlab::described {

namespace {

using study::FittedOperationArrival;
using study::OperationFitFinding;
using study::VcBySize;
namespace k = kinds;

constexpr Field kFitOperationConfigFields[] = {
    value<&OperationFitFinding::operation>("op", k::kText, kOperationHelp),
    value("gpu", k::kText, kGpuHelp, [](const OperationFitFinding& f) { return f.device.name; }),
    value<&OperationFitFinding::split>(study::kSplit, k::kSome),
    value<&OperationFitFinding::seed>(study::kFitSeed, k::kCount),
    value<&OperationFitFinding::inputs>("inputs", k::kSome, "Number of inputs of each row of the table"),
    value<&OperationFitFinding::samples>("samples", k::kSome, "Number of runs of each input"),
};
constexpr TableOf<OperationFitFinding> kFitOperationConfig{
    {.key = "config",
     .title = "Operation fit config",
     .help = "All that is needed to repeat the document beside the table.",
     .fields = kFitOperationConfigFields}};

constexpr Field kVcBySizeFields[] = {
    value<&VcBySize::n>("n", k::kSome, "The size: inputs are n x n", {.where = Where::both}),
    value<&VcBySize::measured>("vc", k::kMagnitude, "Measured Vc", {.where = Where::both}),
    value<&VcBySize::predicted>("vc_predicted", k::kMagnitude, "Predicted Vc", {.where = Where::both}),
    value<&VcBySize::measured_sd>("sd", k::kMagnitude, "Measured standard deviation over runs", {.where = Where::both}),
    value<&VcBySize::predicted_sd>("sd_predicted", k::kMagnitude, "Predicted standard deviation over runs",
                                   {.where = Where::both}),
};
constexpr TableOf<VcBySize> kVcBySize{{.key = "size",
                                       .title = "Vc by size",
                                       .help = "Predicted and measured Vc, means over the rows of one size.",
                                       .fields = kVcBySizeFields}};

constexpr Field kFittedOperationArrivalFields[] = {
    value<&FittedOperationArrival::arrival>(
        "arrival", k::kText, "The model with its parameters, as --arrival takes it, for the grid of the largest size"),
    value<&FittedOperationArrival::rms_fitted>(
        "rms_fitted", k::kMagnitude, "Root mean square of ln(predicted / measured) of Vc over the rows of the fit"),
    value<&FittedOperationArrival::rms_held_out>("rms_held_out", k::kMagnitude, "The same over the other rows"),
    value<&FittedOperationArrival::rms_sd_held_out>(
        "rms_sd_held_out", k::kMagnitude,
        "The same of the standard deviation over runs, of the other rows that have one"),
    part<&FittedOperationArrival::sizes>("sizes", kVcBySize, "Predicted and measured Vc of each size"),
};
constexpr TableOf<FittedOperationArrival> kFittedOperationArrival{
    {.key = "model",
     .title = "Fitted operation arrival",
     .help = "One model, fitted to one half of the table.",
     .fields = kFittedOperationArrivalFields}};

/// One size by one model.
struct FittedSizeRow {
  std::string_view half;
  const FittedOperationArrival& model;
  const VcBySize& size;
};
constexpr Field kFittedSizeFields[] = {
    value<&FittedSizeRow::half>("fitted", k::kText, "Sizes that the model is fitted to: small or large",
                                {.where = Where::csv}),
    value("arrival", k::kText, "The model with its parameters", [](const FittedSizeRow& r) { return r.model.arrival; },
          {.where = Where::csv}),
    merged([](const FittedSizeRow& r) -> const VcBySize& { return r.size; }, kVcBySize),
};
constexpr TableOf<FittedSizeRow> kFittedSize{
    {.key = "row", .title = "Fitted size", .help = "One size by one model.", .fields = kFittedSizeFields}};

constexpr Field kFitOperationFields[] = {
    head<OperationFitFinding>(),
    command<OperationFitFinding>(R"("fit")"),
    group("config", kFitOperationConfig),
    partial<&OperationFitFinding::partial>(),
    value<&OperationFitFinding::rows>("rows", k::kCount, "Number of rows of the table that were used"),
    value<&OperationFitFinding::unused>("rows_not_used", k::kCount,
                                        "Number of rows that were not: their Vc is 0, or nothing arrives"),
    part<&OperationFitFinding::small>("fitted_up_to_split", kFittedOperationArrival,
                                      "Models fitted to sizes up to the split"),
    part<&OperationFitFinding::large>("fitted_above_split", kFittedOperationArrival,
                                      "Models fitted to sizes above the split"),
};

}  // namespace

constexpr TableOf<OperationFitFinding> kFitOperationDocument{
    {.key = "fit_operation",
     .title = "Operation fit",
     .help = "Written by `orderlab fit --op ... --json`: arrival models fitted to a table of Vc by size.",
     .fields = kFitOperationFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::OperationFitFinding& finding) {
  return json_document(to_json(described::kFitOperationDocument, finding));
}

std::string to_csv(const study::OperationFitFinding& finding) {
  std::string csv = csv_titles(described::kFittedSize);
  for (const auto& [name, models] : {std::pair("small", &finding.small), std::pair("large", &finding.large)})
    for (const study::FittedOperationArrival& model : *models)
      for (const study::VcBySize& size : model.sizes) csv += csv_row(described::kFittedSize, {name, model, size});
  return csv;
}

}  // namespace orderlab
