#include "show/fit_csv.hpp"

#include <fmt/format.h>

#include "show/csv_cell.hpp"

namespace orderlab {

namespace {

std::string prediction_rows(const std::string& model, const Prediction& prediction) {
  std::string csv;
  if (prediction.ratio)
    csv +=
        fmt::format("{},prediction,sd_ratio,{},,{},{},1,\n", model, *prediction.ratio, prediction.low, prediction.high);
  for (std::size_t i = 0; i < prediction.inputs.size(); ++i) {
    const InputPrediction& input = prediction.inputs[i];
    csv += fmt::format("{},prediction,sd_{},{},,,,{},\n", model, i, input.fitted_sd, input.recorded_sd);
    csv +=
        fmt::format("{},prediction,distinct_{},{},,,,{},\n", model, i, input.fitted_distinct, input.recorded_distinct);
    csv += fmt::format("{},prediction,ks_distance_{},{},,,,,\n", model, i, input.distance);
    csv += fmt::format("{},prediction,ks_p_{},{},,,,,\n", model, i, input.p);
  }
  return csv;
}

}  // namespace

std::string to_csv(const study::FitFinding& report) {
  std::string csv = "model,kind,name,value,error,low,high,recorded,accepted\n";
  for (std::size_t i = 0; i < report.fit.models.size(); ++i) {
    const FittedModel& model = report.fit.models[i];
    const std::string name = csv_cell(model.arrival);
    for (const FittedParameter& p : model.parameters)
      csv += fmt::format("{},parameter,{},{},{},{},{},,\n", name, p.name, p.value, csv_cell(p.error), csv_cell(p.low),
                         csv_cell(p.high));
    for (std::size_t f = 0; f < model.matches.size(); ++f) {
      const FeatureMatch& match = model.matches[f];
      csv += fmt::format("{},held_out,{},{},,{},{},{},{}\n", name, kFeatureList[f].name, match.fitted, match.low,
                         match.high, match.recorded, match.accepted ? "yes" : "no");
    }
    if (i < report.predictions.size()) csv += prediction_rows(name, report.predictions[i]);
  }
  return csv;
}

}  // namespace orderlab
