#include "show/fit.hpp"
#include "show/input_json.hpp"

namespace orderlab {

namespace {

Json fit_config_json(const study::FitFinding& finding) {
  Json config{{"recording", finding.hash}, {"seed", finding.seed}, {"held_out", name_of(finding.held_out)}};
  config["predict"] = nullptr;
  if (finding.predict)
    config["predict"] = {{"order", kPredictedOrder},
                         {"n", predicted_terms(finding.fit.length)},
                         {"dist", finding.predicted.distribution},
                         {"inputs", finding.predicted.inputs},
                         {"samples", finding.predicted.samples}};
  return config;
}

// Rows are numbered from 1, as in a file.
Json rows_json(const std::vector<std::size_t>& rows) {
  Json json = Json::array();
  for (const std::size_t row : rows) json.push_back(row + 1);
  return json;
}

Json rows_json(const ArrivalFit& fit) {
  Json outliers = Json::array();
  for (const OutlierRow& outlier : fit.outliers)
    outliers.push_back({{"row", outlier.row + 1}, {"tau_to_launch", outlier.tau}, {"z", outlier.z}});
  return {{"length", fit.length},
          {"outliers", outliers},
          {"fitted", rows_json(fit.fitted_rows)},
          {"held_out", rows_json(fit.held_out_rows)}};
}

Json features_json(const Features& features, std::size_t count) {
  Json json;
  for (std::size_t f = 0; f < count; ++f) json[std::string(kFeatureList[f].name)] = features[f];
  return json;
}

Json matches_json(const FittedModel& model) {
  Json json;
  for (std::size_t f = 0; f < model.matches.size(); ++f) {
    const FeatureMatch& match = model.matches[f];
    json[std::string(kFeatureList[f].name)] = {{"recorded", match.recorded},
                                               {"low", match.low},
                                               {"high", match.high},
                                               {"fitted", match.fitted},
                                               {"accepted", match.accepted}};
  }
  return json;
}

Json prediction_json(const Prediction& prediction) {
  Json inputs = Json::array();
  for (const InputPrediction& input : prediction.inputs)
    inputs.push_back({{"recorded_sd", input.recorded_sd},
                      {"fitted_sd", input.fitted_sd},
                      {"recorded_distinct", input.recorded_distinct},
                      {"fitted_distinct", input.fitted_distinct},
                      {"ks_distance", input.distance},
                      {"ks_p", input.p}});
  const bool known = prediction.ratio.has_value();
  return {{"sd_ratio",
           {{"value", or_null(prediction.ratio)},
            {"low", known ? Json(prediction.low) : Json()},
            {"high", known ? Json(prediction.high) : Json()}}},
          {"inputs", inputs}};
}

Json model_json(const study::FitFinding& finding, std::size_t i) {
  const FittedModel& model = finding.fit.models[i];
  Json parameters = Json::object();
  for (const FittedParameter& parameter : model.parameters)
    parameters[std::string(parameter.name)] = {{"value", parameter.value},
                                               {"error", or_null(parameter.error)},
                                               {"low", or_null(parameter.low)},
                                               {"high", or_null(parameter.high)}};
  return {{"arrival", model.arrival},
          {"parameters", parameters},
          {"fitted_distance", model.fitted_distance},
          {"held_out_distance", model.held_out_distance},
          {"accepted", model.accepted()},
          {"as_near_as_nearest", model.as_near},
          {"held_out", matches_json(model)},
          {"prediction", i < finding.predictions.size() ? prediction_json(finding.predictions[i]) : Json()}};
}

}  // namespace

std::string to_json(const study::FitFinding& finding) {
  Json json = json_head("fit");
  json["config"] = fit_config_json(finding);
  if (finding.partial()) json["partial"] = true;
  json["rows"] = rows_json(finding.fit);
  json["recorded"] = features_json(finding.fit.recorded, feature_count(finding.fit.length));
  json["models"] = Json::array();
  for (std::size_t i = 0; i < finding.fit.models.size(); ++i) json["models"].push_back(model_json(finding, i));
  const FittedModel* best = finding.fit.best();
  json["best"] = best == nullptr ? Json() : Json(best->arrival);
  json["accepted"] = best != nullptr && best->accepted();
  return json_document(json);
}

}  // namespace orderlab
