#include "show/fit_operation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::FittedOperationArrival;

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

}  // namespace orderlab
