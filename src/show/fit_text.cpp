#include <fmt/format.h>

#include <algorithm>

#include "core/printable.hpp"
#include "core/printed_number.hpp"
#include "show/arrivals.hpp"
#include "show/colors.hpp"
#include "show/fit.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string fit_head(const study::FitFinding& finding) {
  const ArrivalFit& fit = finding.fit;
  std::string text = fmt::format("{}: {} arrival orders of {} partial sums\n", printable(finding.path),
                                 fit.outliers.size() + fit.rows.size(), fit.length);
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

// Models by their misfit to runs that they were not fitted to.
std::vector<const FittedModel*> by_misfit(const ArrivalFit& fit) {
  std::vector<const FittedModel*> models;
  for (const FittedModel& model : fit.models) models.push_back(&model);
  std::stable_sort(models.begin(), models.end(),
                   [](const FittedModel* a, const FittedModel* b) { return a->held_out_misfit < b->held_out_misfit; });
  return models;
}

std::vector<std::string_view> missed_features(const FittedModel& model) {
  std::vector<std::string_view> missed;
  for (const FeatureMatch& match : model.matches)
    if (!match.accepted) missed.push_back(kArrivalFeatures[match.feature].name);
  return missed;
}

std::string ranking_table(const ArrivalFit& fit, const TextStyle& style) {
  Table table({{"model", Align::left}, {"parameters"}, {"held out"}, {"all runs"}, {"features missed"}});
  for (const FittedModel* model : by_misfit(fit))
    table.add(Table::Row{std::string(model->call.model->name), std::to_string(model->parameters.size()),
                         number(model->held_out_misfit, 3), number(model->misfit, 3),
                         fmt::format("{} of {}", missed_features(*model).size(), model->matches.size())});
  table.add(Table::Row{"recording", "-", number(fit.floor, 3), "-", "-"});
  return table.text(style.color) +
         wrapped(fmt::format("Misfits: root mean square difference of the features from recorded ones, in their "
                             "standard errors. held out: each of {} groups of runs in turn, fitted to the others; "
                             "recording: these others themselves.\n",
                             fit.folds),
                 style.width);
}

// One line per feature: the recording, then the nearest models; a star where it is not accepted.
std::string match_table(const ArrivalFit& fit, const TextStyle& style) {
  constexpr std::size_t kMostShown = 4;
  std::vector<const FittedModel*> shown = by_misfit(fit);
  const auto best = std::find(shown.begin(), shown.end(), fit.best());
  std::rotate(shown.begin(), best, best + 1);
  if (shown.size() > kMostShown) shown.resize(kMostShown);
  std::vector<Column> columns{{"feature", Align::left}, {"recorded"}, {"error"}};
  for (const FittedModel* model : shown) columns.push_back({std::string(model->call.model->name)});
  Table table(columns);
  for (std::size_t i = 0; i < shown.front()->matches.size(); ++i) {
    const std::size_t f = shown.front()->matches[i].feature;
    Table::Row row{std::string(kArrivalFeatures[f].name), feature_text(f, fit.recorded.features[f]),
                   number(fit.recorded.errors[f], 2)};
    for (const FittedModel* model : shown)
      row.push_back(feature_text(f, model->matches[i].fitted) + (model->matches[i].accepted ? "" : "*"));
    table.add(std::move(row));
  }
  return table.text(style.color) +
         wrapped(
             "* not accepted: farther than 0.01 of a tau, 10 % of a displacement or of tau_sd, 0.05 of a correlation, "
             "0.02 of a share, and outside its 95 % interval (simultaneous over all features). Displacements are in "
             "tickets; `orderlab arrivals` says what each feature is.\n",
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
                             "recorded ones. KS p: Kolmogorov-Smirnov, and distinct results: least / median / greatest "
                             "of the inputs.\n",
                             finding.predictions.front().inputs.size(), predicted_terms(finding.fit.length),
                             finding.predicted.distribution, kPredictedOrder, finding.predicted.samples,
                             finding.fit.rows.size()),
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
  const std::vector<std::string_view> missed = missed_features(best);
  std::string text = missed.empty()
                         ? fmt::format("{} is accepted.", name)
                         : fmt::format("No model is accepted. {} does not reproduce {}.", name, names_of(missed));
  const std::string others = others_as_near(fit);
  if (!others.empty())
    text += fmt::format(" The runs held out do not tell it from {}; none of these has fewer parameters.", others);
  else if (missed.empty())
    text += " No other accepted model is as near.";
  else
    text += " No other model is as near.";
  return text + "\n";
}

}  // namespace

std::string to_text(const study::FitFinding& finding, const TextStyle& style) {
  std::string text = wrapped(fit_head(finding), style.width) + "\n";
  text += parameter_table(finding, style) + "\n" + ranking_table(finding.fit, style) + "\n" +
          match_table(finding.fit, style);
  if (!finding.predictions.empty()) text += prediction_table(finding, style);
  text += "\n" + bold("--arrival '" + finding.fit.best()->arrival + "'", style.color) + "\n";
  if (!finding.fit.partial) text += wrapped(verdict(finding.fit), style.width);
  if (finding.partial()) text += "stopped: not all models were fitted, or not all inputs summed\n";
  return text;
}

}  // namespace orderlab
