#include "show/fit_operation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "show/colors.hpp"
#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::FittedOperationArrival;

Json fitted_json(const std::vector<FittedOperationArrival>& models) {
  Json json = Json::array();
  for (const FittedOperationArrival& model : models) {
    Json sizes = Json::array();
    for (const study::VcBySize& size : model.sizes)
      sizes.push_back({{"n", size.n},
                       {"vc", json_number(size.measured)},
                       {"vc_predicted", json_number(size.predicted)},
                       {"sd", json_number(size.measured_sd)},
                       {"sd_predicted", json_number(size.predicted_sd)}});
    json.push_back({{"arrival", model.arrival},
                    {"rms_fitted", json_number(model.rms_fitted)},
                    {"rms_held_out", json_number(model.rms_held_out)},
                    {"rms_sd_held_out", json_number(model.rms_sd_held_out)},
                    {"sizes", std::move(sizes)}});
  }
  return json;
}

std::string fitted_table(const std::vector<FittedOperationArrival>& models, const TextStyle& style) {
  Table table({{"model", Align::left}, {"fitted"}, {"held out"}, {"sd held out"}});
  for (const FittedOperationArrival& model : models)
    table.add(
        {model.arrival, number(model.rms_fitted, 3), number(model.rms_held_out, 3), number(model.rms_sd_held_out, 3)});
  return table.text(style.color);
}

const FittedOperationArrival& nearest_of(const std::vector<FittedOperationArrival>& models) {
  return *std::min_element(models.begin(), models.end(),
                           [](const auto& a, const auto& b) { return a.rms_held_out < b.rms_held_out; });
}

std::string sizes_table(const FittedOperationArrival& model, const TextStyle& style) {
  Table table({{"n"}, {"Vc measured"}, {"predicted"}, {"ratio"}, {"sd measured"}, {"predicted"}});
  for (const study::VcBySize& size : model.sizes)
    table.add({std::to_string(size.n), number(size.measured, 3), number(size.predicted, 3),
               number(size.predicted / size.measured, 3), number(size.measured_sd, 3), number(size.predicted_sd, 3)});
  return table.text(style.color);
}

}  // namespace

std::string to_text(const study::OperationFitFinding& finding, const TextStyle& style) {
  std::string text = wrapped(
      fmt::format("{}\n{} rows of the table used, {} not: their Vc is 0, or nothing arrives\n{} inputs of each row, {} "
                  "runs of each\n",
                  bold(finding.operation + " on " + finding.device.name, style.color), finding.rows, finding.unused,
                  finding.inputs, finding.samples),
      style.width);
  text += "\nRoot mean square of ln(predicted / measured) of Vc, and of its sd over runs\n";
  const auto half = [&](const char* title, const std::vector<FittedOperationArrival>& models) {
    if (models.empty()) return std::string();
    return fmt::format("\nfitted to n {} {}\n", title, finding.split) + fitted_table(models, style);
  };
  text += half("up to", finding.small) + half("above", finding.large);
  if (finding.partial) return text + "\ninterrupted: not all models were fitted\n";
  const FittedOperationArrival& best = nearest_of(finding.large);
  text += fmt::format("\n{}, by size, means over the rows of a size\n", best.arrival) + sizes_table(best, style);
  const std::string conclusion =
      fmt::format("Nearest to the sizes held out: {} (fitted to n up to {}), {} (fitted above).",
                  nearest_of(finding.small).arrival, finding.split, best.arrival);
  return text + "\n" + wrapped(bold(conclusion, style.color) + "\n", style.width);
}

std::string to_json(const study::OperationFitFinding& finding) {
  Json json = json_head("fit");
  json["config"] = {{"op", finding.operation}, {"gpu", finding.device.name}, {"split", finding.split},
                    {"seed", finding.seed},    {"inputs", finding.inputs},   {"samples", finding.samples}};
  if (finding.partial) json["partial"] = true;
  json["rows"] = finding.rows;
  json["rows_not_used"] = finding.unused;
  json["fitted_up_to_split"] = fitted_json(finding.small);
  json["fitted_above_split"] = fitted_json(finding.large);
  return json_document(json);
}

std::string to_csv(const study::OperationFitFinding& finding) {
  std::string csv = csv_line({"fitted", "arrival", "n", "vc", "vc_predicted", "sd", "sd_predicted"});
  for (const auto& [name, models] : {std::pair("small", &finding.small), std::pair("large", &finding.large)})
    for (const FittedOperationArrival& model : *models)
      for (const study::VcBySize& size : model.sizes)
        csv += csv_line({std::string(name), model.arrival, size.n, size.measured, size.predicted, size.measured_sd,
                         size.predicted_sd});
  return csv;
}

}  // namespace orderlab
