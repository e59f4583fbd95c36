#include "show/fit_fields.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/enum_names.hpp"
#include "show/fields_json.hpp"
#include "show/fit.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/fit_options.hpp"

namespace orderlab::described {

namespace {

using study::FitFinding;
namespace k = kinds;

/// How sums were predicted.
struct PredictionConfig {
  const FitFinding& finding;
};
constexpr Field kPredictionConfigFields[] = {
    value("order", k::kText, "Order of the sums", [](const PredictionConfig&) { return kPredictedOrder; }),
    value("n", k::kSome, "Number of terms",
          [](const PredictionConfig& c) { return predicted_terms(c.finding.fit.length); }),
    value("dist", k::kText, "Distribution of the terms",
          [](const PredictionConfig& c) { return c.finding.predicted.distribution; }),
    value(study::kFitInputs, k::kSome, [](const PredictionConfig& c) { return c.finding.predicted.inputs; }),
    value(study::kFitSamples, k::kSome, [](const PredictionConfig& c) { return c.finding.predicted.samples; }),
};
constexpr TableOf<PredictionConfig> kPredictionConfig{
    {.key = "prediction_config", .title = "Prediction config", .help = {}, .fields = kPredictionConfigFields}};

constexpr Field kFitConfigFields[] = {
    value<&FitFinding::hash>("recording", k::kHash, "Hash of the recorded orders"),
    value<&FitFinding::seed>(study::kFitSeed, k::kCount),
    word<&FitFinding::held_out, names_through<HeldOut::odd>()>("held_out", k::kText,
                                                               "Which of the usable rows are held out to judge by"),
    part("predict", kPredictionConfig, "How sums were predicted",
         [](const FitFinding& f) { return f.predict ? std::optional(PredictionConfig{f}) : std::nullopt; },
         {.null = "where they were not"}),
};
constexpr TableOf<FitFinding> kFitConfig{
    {.key = "config", .title = "Fit config", .help = kConfigSentence, .fields = kFitConfigFields}};

constexpr Field kOutlierRowFields[] = {
    value("row", k::kSome, "Its number", [](const OutlierRow& r) { return r.row + 1; }),
    value<&OutlierRow::tau>("tau_to_launch", k::kFinite, "Its Kendall tau to launch order"),
    value<&OutlierRow::z>("z", k::kFinite, "Its tau less the median, in robust standard deviations"),
};

constexpr Field kRowNumberFields[] = {itself<std::size_t>(k::kSome)};
constexpr TableOf<std::size_t> kRowNumber{
    {.key = "row", .title = "Row", .help = "A row, from 1.", .fields = kRowNumberFields}};

// Rows are numbered from 1, as in a file.
std::vector<std::size_t> from_one(std::vector<std::size_t> rows) {
  for (std::size_t& row : rows) ++row;
  return rows;
}

constexpr Field kFitRowsFields[] = {
    value<&ArrivalFit::length>("length", k::kSome, "Number of thread blocks in each row"),
    part<&ArrivalFit::outliers>("outliers", kOutlierRow, "Rows that take no part, such as a cold start"),
    part("fitted", kRowNumber, "Rows that models were fitted to",
         [](const ArrivalFit& f) { return from_one(f.fitted_rows); }),
    part("held_out", kRowNumber, "Rows held out to judge by",
         [](const ArrivalFit& f) { return from_one(f.held_out_rows); }),
};
constexpr TableOf<ArrivalFit> kFitRows{{.key = "rows",
                                        .title = "Fit rows",
                                        .help = "The rows of the recording, numbered from 1.",
                                        .fields = kFitRowsFields}};

/// What a feature of kFeatureList is.
struct FeatureWords {
  std::string_view help;
  std::string_view absent = {};
};
constexpr FeatureWords kFeatureWords[] = {
    {"Mean Kendall tau to launch order"},
    {"Mean Kendall tau between runs"},
    {"5 % quantile of position of arrival less launch index, mean over runs, in positions"},
    {"25 % quantile of it"},
    {"75 % quantile of it"},
    {"95 % quantile of it"},
    {"Mean absolute displacement of the first quarter launched, in positions"},
    {"Mean absolute displacement of the last quarter launched, in positions"},
    {"Standard deviation over the runs of their tau to launch order"},
    {"Mean correlation of the displacements of the same thread block in two runs"},
    {"Mean correlation of the displacements of thread blocks launched next to each other"},
    {"The same of thread blocks launched 8 apart", "for fewer than 32 thread blocks"},
    {"The same of thread blocks launched 40 apart", "for fewer than 160 thread blocks"},
    {"The same of thread blocks launched 80 apart", "for fewer than 320 thread blocks"},
};
static_assert(std::size(kFeatureWords) == kFeatures);

/// Feature f of `all`, of which there are `count`.
template <std::size_t f, class List>
auto feature_of(const List& all, std::size_t count) {
  if constexpr (kFeatureWords[f].absent.empty())
    return all[f];
  else
    return f < count ? std::optional(all[f]) : std::nullopt;
}

template <std::size_t... f>
consteval auto recorded_features(std::index_sequence<f...>) {
  return std::to_array<Field>(
      {value(kFeatureList[f].name, k::kFinite, kFeatureWords[f].help,
             [](const ArrivalFit& fit) { return feature_of<f>(fit.recorded, feature_count(fit.length)); },
             {.absent = kFeatureWords[f].absent})...});
}
constexpr auto kRecordedFeatureFields = recorded_features(std::make_index_sequence<kFeatures>());
constexpr TableOf<ArrivalFit> kRecordedFeatures{
    {.key = "features", .title = "Features", .help = "Features of the fitted rows.", .fields = kRecordedFeatureFields}};

constexpr Field kFeatureMatchFields[] = {
    value<&FeatureMatch::recorded>("recorded", k::kFinite, "The feature of the rows held out"),
    value<&FeatureMatch::low>("low", k::kFinite,
                              "Lower limit of the fitted values that are consistent with it at 95 %"),
    value<&FeatureMatch::high>("high", k::kFinite, "Upper limit of these values"),
    value<&FeatureMatch::fitted>("fitted", k::kFinite, "The feature of the model"),
    value<&FeatureMatch::accepted>("accepted", k::kTruth, "Whether the two are close enough, or consistent"),
};
constexpr TableOf<FeatureMatch> kFeatureMatch{{.key = "match",
                                               .title = "Feature match",
                                               .help = "A feature of the model beside that of the rows held out.",
                                               .fields = kFeatureMatchFields}};

template <std::size_t... f>
consteval auto feature_matches(std::index_sequence<f...>) {
  return std::to_array<Field>(
      {part(kFeatureList[f].name, kFeatureMatch, kFeatureWords[f].help,
            [](const FittedModel& model) { return feature_of<f>(model.matches, model.matches.size()); },
            {.absent = kFeatureWords[f].absent})...});
}
constexpr auto kFeatureMatchesFields = feature_matches(std::make_index_sequence<kFeatures>());
constexpr TableOf<FittedModel> kFeatureMatches{{.key = "matches",
                                                .title = "Feature matches",
                                                .help = "Features of the model beside those of the rows held out.",
                                                .fields = kFeatureMatchesFields}};

constexpr std::string_view kNoInterval = "where there is none";
constexpr Field kFittedParameterFields[] = {
    value<&FittedParameter::value>("value", k::kFinite, "Its value"),
    value<&FittedParameter::error>("error", k::kFraction, "Its standard error", {.null = kNoInterval}),
    value<&FittedParameter::low>("low", k::kFinite, "Lower limit of its 95 % interval", {.null = kNoInterval}),
    value<&FittedParameter::high>("high", k::kFinite, "Upper limit of its 95 % interval", {.null = kNoInterval}),
};
constexpr TableOf<FittedParameter> kFittedParameter{
    {.key = "fitted_parameter",
     .title = "Fitted parameter",
     .help = "A parameter. Error and interval are null where the features do not determine it, or it is at its limit.",
     .fields = kFittedParameterFields}};
constexpr Field kParameterByNameFields[] = {
    value<&FittedParameter::name>("name", k::kText, "Its name"),
    group("parameter", kFittedParameter, "The parameter"),
};
constexpr TableOf<FittedParameter> kParameterByName{{.key = "parameter_by_name",
                                                     .title = "Parameter by name",
                                                     .help = "A parameter by its name.",
                                                     .fields = kParameterByNameFields,
                                                     .form = Form::member}};

constexpr std::string_view kNoRatio = "where there is no ratio";
constexpr Field kSdRatioFields[] = {
    value<&Prediction::ratio>("value", k::kMagnitude, "The ratio", {.null = "where no recorded sum varies"}),
    value("low", k::kFraction, "Lower limit of its 95 % interval",
          [](const Prediction& p) { return p.ratio ? std::optional(p.low) : std::nullopt; }, {.null = kNoRatio}),
    value("high", k::kFraction, "Upper limit of its 95 % interval",
          [](const Prediction& p) { return p.ratio ? std::optional(p.high) : std::nullopt; }, {.null = kNoRatio}),
};
constexpr TableOf<Prediction> kSdRatio{{.key = "sd_ratio",
                                        .title = "Sd ratio",
                                        .help = "Fitted over recorded root mean square standard deviation of the sums.",
                                        .fields = kSdRatioFields}};

constexpr Field kInputPredictionFields[] = {
    value<&InputPrediction::recorded_sd>("recorded_sd", k::kFraction,
                                         "Standard deviation of the sums in recorded orders"),
    value<&InputPrediction::fitted_sd>("fitted_sd", k::kFraction, "The same in orders of the model"),
    value<&InputPrediction::recorded_distinct>("recorded_distinct", k::kSome,
                                               "Number of different sums in recorded orders"),
    value<&InputPrediction::fitted_distinct>("fitted_distinct", k::kSome, "The same in orders of the model"),
    value<&InputPrediction::distance>("ks_distance", k::kProbability, "Kolmogorov-Smirnov distance of the two"),
    value<&InputPrediction::p>("ks_p", k::kProbability, "Its p-value by permutation"),
};
constexpr TableOf<InputPrediction> kInputPrediction{{.key = "input_prediction",
                                                     .title = "Input prediction",
                                                     .help = "One input, summed in recorded and in fitted orders.",
                                                     .fields = kInputPredictionFields}};

constexpr Field kPredictionFields[] = {
    group("sd_ratio", kSdRatio),
    part<&Prediction::inputs>("inputs", kInputPrediction, "The sums of each input"),
};
constexpr TableOf<Prediction> kPrediction{
    {.key = "prediction", .title = "Prediction", .help = {}, .fields = kPredictionFields}};

constexpr Field kFittedModelFields[] = {
    value<&FittedModel::arrival>("arrival", k::kText, "The model with its parameters, as --arrival takes it"),
    part<&FittedModel::parameters>("parameters", kParameterByName, "Its fitted parameters by their name"),
    value<&FittedModel::fitted_distance>(
        "fitted_distance", k::kFraction,
        "Distance to the fitted rows over the features that it was fitted to: root mean square difference, in units of "
        "tolerance and standard error combined"),
    value<&FittedModel::held_out_distance>("held_out_distance", k::kFraction,
                                           "The same to the rows held out, over all features"),
    value<&FittedModel::accepted>("accepted", k::kTruth, "Whether all features are accepted"),
    value<&FittedModel::as_near>("as_near_as_nearest", k::kTruth,
                                 "Whether the rows held out do not show that another model is nearer"),
    group("held_out", kFeatureMatches),
};
constexpr TableOf<FittedModel> kFittedModel{
    {.key = "model", .title = "Fitted model", .help = "One model.", .fields = kFittedModelFields}};

/// A model, and the sums that it predicts.
struct PredictingModel {
  const FittedModel& model;
  std::optional<Prediction> prediction;
};
constexpr Field kPredictingModelFields[] = {
    merged([](const PredictingModel& m) -> const FittedModel& { return m.model; }, kFittedModel),
    part<&PredictingModel::prediction>("prediction", kPrediction,
                                       "Sums in orders of the model beside sums in recorded orders",
                                       {.null = "where they were not predicted"}),
};
constexpr TableOf<PredictingModel> kPredictingModel{
    {.key = "fitted_model", .title = "Fitted model", .help = "One model.", .fields = kPredictingModelFields}};

std::vector<PredictingModel> models_of(const FitFinding& finding) {
  std::vector<PredictingModel> models;
  for (std::size_t i = 0; i < finding.fit.models.size(); ++i)
    models.push_back(
        {finding.fit.models[i], i < finding.predictions.size() ? std::optional(finding.predictions[i]) : std::nullopt});
  return models;
}

constexpr Field kFitFields[] = {
    head<FitFinding>(),
    command<FitFinding>(R"("fit")"),
    group("config", kFitConfig),
    partial([](const FitFinding& f) { return f.partial(); }),
    part<&FitFinding::fit>("rows", kFitRows),
    part<&FitFinding::fit>("recorded", kRecordedFeatures),
    part("models", kPredictingModel, "The models that were fitted", [](const FitFinding& f) { return models_of(f); }),
    value("best", k::kText,
          "The accepted model with the fewest parameters of those that are as near as the nearest, or of all models "
          "where none is accepted",
          [](const FitFinding& f) {
            const FittedModel* best = f.fit.best();
            return best != nullptr ? std::optional(best->arrival) : std::nullopt;
          },
          {.null = "where none was fitted"}),
    value("accepted", k::kTruth, "Whether it is accepted",
          [](const FitFinding& f) { return f.fit.best() != nullptr && f.fit.best()->accepted(); }),
};

}  // namespace

constexpr TableOf<OutlierRow> kOutlierRow{{.key = "outlier_row",
                                           .title = "Outlier row",
                                           .help = "A row unlike the others.",
                                           .fields = kOutlierRowFields,
                                           .shared = true}};

constexpr TableOf<FitFinding> kFitDocument{
    {.key = "fit",
     .title = "Fit",
     .help = "Written by `orderlab fit --json`: arrival models from recorded arrival orders.",
     .fields = kFitFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::FitFinding& finding) {
  return json_document(to_json(described::kFitDocument, finding));
}

}  // namespace orderlab
