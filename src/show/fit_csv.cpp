#include <utility>

#include "show/csv_cell.hpp"
#include "show/fit.hpp"

namespace orderlab {

namespace {

Value cell_of(const std::optional<double>& value) { return value ? Value(*value) : Value(); }

std::string prediction_rows(const std::string& model, const Prediction& prediction) {
  std::string csv;
  const auto row = [&](const std::string& name, Value value, Value low, Value high, Value recorded) {
    csv += csv_line(
        {model, "prediction", name, std::move(value), {}, std::move(low), std::move(high), std::move(recorded), {}});
  };
  if (prediction.ratio) row("sd_ratio", *prediction.ratio, prediction.low, prediction.high, 1.0);
  for (std::size_t i = 0; i < prediction.inputs.size(); ++i) {
    const InputPrediction& input = prediction.inputs[i];
    const std::string number = std::to_string(i);
    row("sd_" + number, input.fitted_sd, {}, {}, input.recorded_sd);
    row("distinct_" + number, input.fitted_distinct, {}, {}, input.recorded_distinct);
    row("ks_distance_" + number, input.distance, {}, {}, {});
    row("ks_p_" + number, input.p, {}, {}, {});
  }
  return csv;
}

}  // namespace

std::string to_csv(const study::FitFinding& finding) {
  std::string csv = "model,kind,name,value,error,low,high,recorded,accepted\n";
  for (std::size_t i = 0; i < finding.fit.models.size(); ++i) {
    const FittedModel& model = finding.fit.models[i];
    for (const FittedParameter& p : model.parameters)
      csv += csv_line({model.arrival,
                       "parameter",
                       std::string(p.name),
                       p.value,
                       cell_of(p.error),
                       cell_of(p.low),
                       cell_of(p.high),
                       {},
                       {}});
    csv += csv_line({model.arrival, "misfit", "misfit", model.misfit, {}, {}, {}, {}, {}});
    csv += csv_line({model.arrival, "misfit", "held_out_misfit", model.held_out_misfit, {}, {}, {}, {}, {}});
    for (const FeatureMatch& match : model.matches)
      csv += csv_line({model.arrival,
                       "feature",
                       std::string(kArrivalFeatures[match.feature].name),
                       match.fitted,
                       {},
                       match.low,
                       match.high,
                       match.recorded,
                       match.accepted ? "yes" : "no"});
    if (i < finding.predictions.size()) csv += prediction_rows(model.arrival, finding.predictions[i]);
  }
  return csv;
}

}  // namespace orderlab
