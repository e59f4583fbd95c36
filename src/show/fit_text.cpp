#include <fmt/format.h>

#include <algorithm>

#include "core/printable.hpp"
#include "core/printed_number.hpp"
#include "show/colors.hpp"
#include "show/fit.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string fit_head(const study::FitFinding& finding) {
  const ArrivalFit& fit = finding.fit;
  const std::size_t rows = fit.outliers.size() + fit.fitted_rows.size() + fit.held_out_rows.size();
  std::string text =
      fmt::format("{}: {} arrival orders of {} partial sums; {} fitted, {} held out\n", printable(finding.path), rows,
                  fit.length, fit.fitted_rows.size(), fit.held_out_rows.size());
  for (const OutlierRow& outlier : fit.outliers)
    text += fmt::format("row {} is an outlier and left out: Kendall tau to launch {:.4f}, robust z {:.1f}\n",
                        outlier.row + 1, outlier.tau, outlier.z);
  return text;
}

std::string parameter_table(const study::FitFinding& finding, const TextStyle& style) {
  Table table({{"model", Align::left}, {"parameter", Align::left}, {"value"}, {"error"}, {"95 % interval"}});
  for (const FittedModel& model : finding.fit.models)
    for (const FittedParameter& p : model.parameters)
      table.add({std::string(model.call.model->name), std::string(p.name), number(p.value), number(p.error, 2),
                 p.low ? fmt::format("{} to {}", number(p.low), number(p.high)) : "-"});
  return table.text(style.color);
}

std::string fit_cell(FeatureKind kind, double value) {
  return fmt::format("{:.{}f}", printed(value) + 0.0, kind == FeatureKind::displacement ? 1 : 4);
}

// One line per feature: the rows held out, then each model; a star where it is not accepted.
std::string match_table(const study::FitFinding& finding, const TextStyle& style) {
  std::vector<Column> columns{{"held out", Align::left}, {"recorded"}};
  for (const FittedModel& model : finding.fit.models) columns.push_back({std::string(model.call.model->name)});
  Table table(columns);
  for (std::size_t f = 0; f < finding.fit.models.front().matches.size(); ++f) {
    const auto [name, kind] = kFeatureList[f];
    Table::Row row{std::string(name), fit_cell(kind, finding.fit.models.front().matches[f].recorded)};
    for (const FittedModel& model : finding.fit.models)
      row.push_back(fit_cell(kind, model.matches[f].fitted) + (model.matches[f].accepted ? "" : "*"));
    table.add(std::move(row));
  }
  Table::Row distances{"distance", ""};
  for (const FittedModel& model : finding.fit.models) distances.push_back(number(model.held_out_distance, 3));
  table.add(std::move(distances));
  return table.text(style.color) +
         wrapped(
             "* not accepted: farther than 0.01 of a tau, 10 % of a displacement or of tau_sd, 0.05 of a correlation, "
             "and outside its 95 % interval (simultaneous over all features). "
             "Displacements are in positions; neighbours_8 is the correlation between thread blocks launched 8 apart. "
             "Distance: root mean square difference, in units of tolerance and standard error combined.\n",
             style.width);
}

std::string range(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return fmt::format("{} / {} / {}", number(values.front(), 3), number(values[values.size() / 2], 3),
                     number(values.back(), 3));
}

std::string prediction_table(const study::FitFinding& finding, const TextStyle& style) {
  Table table({{"predicted", Align::left}, {"sd ratio"}, {"95 % interval"}, {"KS p"}, {"distinct"}});
  for (std::size_t i = 0; i < finding.predictions.size(); ++i) {
    const Prediction& prediction = finding.predictions[i];
    if (prediction.inputs.empty()) continue;
    std::vector<double> p;
    std::vector<double> distinct;
    for (const InputPrediction& input : prediction.inputs) {
      p.push_back(input.p);
      distinct.push_back(static_cast<double>(input.fitted_distinct));
    }
    table.add({std::string(finding.fit.models[i].call.model->name), number(prediction.ratio, 3),
               prediction.ratio ? number(prediction.low, 3) + " to " + number(prediction.high, 3) : "-", range(p),
               range(distinct)});
  }
  return "\n" + table.text(style.color) +
         wrapped(fmt::format("Sums of {} inputs of {} terms {}, order {}: sd over {} drawn orders over that of the {} "
                             "rows held out. KS p: Kolmogorov-Smirnov, and distinct results: least / median / greatest "
                             "of the inputs.\n",
                             finding.predictions.front().inputs.size(), predicted_terms(finding.fit.length),
                             finding.predicted.distribution, kPredictedOrder, finding.predicted.samples,
                             finding.fit.held_out_rows.size()),
                 style.width);
}

std::string names_of(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string others_as_near(const ArrivalFit& fit) {
  std::vector<std::string_view> names;
  for (const FittedModel& model : fit.models)
    if (&model != fit.best() && model.as_near) names.push_back(model.call.model->name);
  return names_of(names);
}

// Why the model that is named was chosen, and what it lacks.
std::string verdict(const ArrivalFit& fit) {
  const FittedModel& best = *fit.best();
  const std::string name(best.call.model->name);
  std::vector<std::string_view> missed;
  for (std::size_t f = 0; f < best.matches.size(); ++f)
    if (!best.matches[f].accepted) missed.push_back(kFeatureList[f].name);
  std::string text = missed.empty()
                         ? fmt::format("{} is accepted.", name)
                         : fmt::format("No model is accepted. {} does not reproduce {}.", name, names_of(missed));
  const std::string others = others_as_near(fit);
  if (!others.empty())
    text += fmt::format(
        " The rows held out do not show a difference in distance to {}; none of them has fewer parameters than {}.",
        others, name);
  else if (missed.empty())
    text += " No other accepted model is as near.";
  else
    text += " No other model is as near.";
  return text + "\n";
}

}  // namespace

std::string to_text(const study::FitFinding& finding, const TextStyle& style) {
  std::string text = wrapped(fit_head(finding), style.width) + "\n";
  text += parameter_table(finding, style) + "\n" + match_table(finding, style);
  if (!finding.predictions.empty()) text += prediction_table(finding, style);
  text += "\n" + bold("--arrival '" + finding.fit.best()->arrival + "'", style.color) + "\n";
  if (!finding.fit.partial) text += wrapped(verdict(finding.fit), style.width);
  if (finding.partial()) text += "stopped: not all models were fitted, or not all inputs summed\n";
  return text;
}

}  // namespace orderlab
