#include "report/fit_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/colors.hpp"
#include "report/input_text.hpp"
#include "report/table.hpp"
#include "report/wrapped.hpp"

namespace orderlab {

namespace {

std::string fit_head(const FitReport& report) {
  const ArrivalFit& fit = report.fit;
  const std::size_t rows = fit.outliers.size() + fit.fitted_rows.size() + fit.held_out_rows.size();
  std::string text = fmt::format("{}: {} arrival orders of {} partial sums; {} fitted, {} held out\n", report.path,
                                 rows, fit.length, fit.fitted_rows.size(), fit.held_out_rows.size());
  for (const OutlierRow& outlier : fit.outliers)
    text += fmt::format("row {} is an outlier and left out: Kendall tau to launch {:.4f}, robust z {:.1f}\n",
                        outlier.row + 1, outlier.tau, outlier.z);
  return text;
}

std::string parameter_table(const FitReport& report, const TextStyle& style) {
  Table table({{"model", Align::left}, {"parameter", Align::left}, {"value"}, {"error"}, {"95 % interval"}});
  for (const FittedModel& model : report.fit.models)
    for (const FittedParameter& p : model.parameters)
      table.add({std::string(model.call.model->name), std::string(p.name), number(p.value), number(p.error, 2),
                 p.low ? fmt::format("{} to {}", number(p.low), number(p.high)) : "-"});
  return table.text(style.color);
}

std::string fit_cell(std::size_t feature, double value) {
  return feature < kTaus ? fmt::format("{:.4f}", value) : fmt::format("{:.1f}", value + 0.0);
}

// One line a feature: the rows held out with their interval, then each model; a star where it is not accepted.
std::string match_table(const FitReport& report, const TextStyle& style) {
  std::vector<Column> columns{{"held out", Align::left}, {"recorded"}, {"95 % interval"}};
  for (const FittedModel& model : report.fit.models) columns.push_back({std::string(model.call.model->name)});
  Table table(columns);
  for (std::size_t f = 0; f < kFeatures; ++f) {
    const FeatureMatch& recorded = report.fit.models.front().matches[f];
    Table::Row row{std::string(kFeatureNames[f]), fit_cell(f, recorded.recorded),
                   fit_cell(f, recorded.low) + " to " + fit_cell(f, recorded.high)};
    for (const FittedModel& model : report.fit.models)
      row.push_back(fit_cell(f, model.matches[f].fitted) + (model.matches[f].accepted ? "" : "*"));
    table.add(std::move(row));
  }
  Table::Row distances{"distance", "", ""};
  for (const FittedModel& model : report.fit.models) distances.push_back(number(model.held_out_distance, 3));
  table.add(std::move(distances));
  return table.text(style.color) +
         wrapped(
             "Accepted: within 0.01 of a tau, 10 % of a displacement or inside its interval; * is not. "
             "Distance: root mean square difference in units of what is accepted.\n",
             style.width);
}

std::string range(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return fmt::format("{} / {} / {}", number(values.front(), 3), number(values[values.size() / 2], 3),
                     number(values.back(), 3));
}

std::string prediction_table(const FitReport& report, const TextStyle& style) {
  Table table({{"predicted", Align::left}, {"sd ratio"}, {"95 % interval"}, {"KS p"}, {"distinct"}});
  for (std::size_t i = 0; i < report.predictions.size(); ++i) {
    const Prediction& prediction = report.predictions[i];
    if (prediction.inputs.empty()) continue;
    std::vector<double> p;
    std::vector<double> distinct;
    for (const InputPrediction& input : prediction.inputs) {
      p.push_back(input.p);
      distinct.push_back(static_cast<double>(input.fitted_distinct));
    }
    table.add({std::string(report.fit.models[i].call.model->name), number(prediction.ratio, 3),
               prediction.ratio ? number(prediction.low, 3) + " to " + number(prediction.high, 3) : "-", range(p),
               range(distinct)});
  }
  return "\n" + table.text(style.color) +
         wrapped(fmt::format("Sums of {} inputs of {} terms {}, order {}: sd over {} drawn orders over that of the {} "
                             "rows held out. KS p: Kolmogorov-Smirnov, and distinct results: least / median / greatest "
                             "of the inputs.\n",
                             report.predictions.front().inputs.size(), predicted_terms(report.fit.length),
                             report.predicted.distribution, kPredictedOrder, report.predicted.samples,
                             report.fit.held_out_rows.size()),
                 style.width);
}

}  // namespace

std::string to_text(const FitReport& report, const TextStyle& style) {
  std::string text = wrapped(fit_head(report), style.width) + "\n";
  text += parameter_table(report, style) + "\n" + match_table(report, style);
  if (!report.predictions.empty()) text += prediction_table(report, style);
  const FittedModel* best = report.fit.best();
  text += "\n" + bold("--arrival '" + best->arrival + "'", style.color) +
          (best->accepted() ? "\n" : "  the nearest, but no model is accepted\n");
  if (report.partial()) text += "stopped: not all models were fitted, or not all inputs summed\n";
  return text;
}

}  // namespace orderlab
