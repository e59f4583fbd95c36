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
#include "study/arrivals_options.hpp"
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
    value(study::kFolds, k::kSome, [](const FitFinding& f) { return f.fit.folds; }),
    value(study::kSms, k::kSome, [](const FitFinding& f) { return f.wave.sms; }),
    value(study::kResident, k::kSome, [](const FitFinding& f) { return f.wave.resident; }),
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
    part("fitted", kRowNumber, "Rows that models were fitted to", [](const ArrivalFit& f) { return from_one(f.rows); }),
};
constexpr TableOf<ArrivalFit> kFitRows{{.key = "rows",
                                        .title = "Fit rows",
                                        .help = "The rows of the recording, numbered from 1.",
                                        .fields = kFitRowsFields}};

/// One feature of the recording.
struct RecordedFeature {
  const RecordedArrivals& recorded;
  std::size_t feature;
};
std::vector<RecordedFeature> recorded_features(const ArrivalFit& fit) {
  std::vector<RecordedFeature> list;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
    if (fit.recorded.features[f]) list.push_back({fit.recorded, f});
  return list;
}
constexpr Field kRecordedFeatureFields[] = {
    value("value", k::kFinite, "Its value", [](const RecordedFeature& r) { return *r.recorded.features[r.feature]; }),
    value("error", k::kFraction, "Its standard error",
          [](const RecordedFeature& r) { return r.recorded.errors[r.feature]; }, {.null = "where runs do not vary"}),
};
constexpr TableOf<RecordedFeature> kRecordedFeature{{.key = "recorded_feature",
                                                     .title = "Recorded feature",
                                                     .help = "A feature of the recording.",
                                                     .fields = kRecordedFeatureFields}};
constexpr Field kRecordedByNameFields[] = {
    value("name", k::kText, "Its name", [](const RecordedFeature& r) { return kArrivalFeatures[r.feature].name; }),
    group("feature", kRecordedFeature, "The feature"),
};
constexpr TableOf<RecordedFeature> kRecordedByName{{.key = "recorded_by_name",
                                                    .title = "Recorded feature by name",
                                                    .help = "A feature of the recording by its name.",
                                                    .fields = kRecordedByNameFields,
                                                    .form = Form::member}};

constexpr Field kFeatureMatchFields[] = {
    value<&FeatureMatch::recorded>("recorded", k::kFinite, "The feature of the recording"),
    value<&FeatureMatch::low>("low", k::kFinite,
                              "Lower limit of the fitted values that are consistent with it at 95 %"),
    value<&FeatureMatch::high>("high", k::kFinite, "Upper limit of these values"),
    value<&FeatureMatch::fitted>("fitted", k::kFinite, "The feature of the model"),
    value<&FeatureMatch::accepted>("accepted", k::kTruth, "Whether the two are close enough, or consistent"),
};
constexpr TableOf<FeatureMatch> kFeatureMatch{{.key = "match",
                                               .title = "Feature match",
                                               .help = "A feature of the model beside that of the recording.",
                                               .fields = kFeatureMatchFields}};
constexpr Field kMatchByNameFields[] = {
    value("name", k::kText, "Its name", [](const FeatureMatch& m) { return kArrivalFeatures[m.feature].name; }),
    group("match", kFeatureMatch, "The feature"),
};
constexpr TableOf<FeatureMatch> kMatchByName{
    {.key = "match_by_name",
     .title = "Feature match by name",
     .help = "A feature of the model beside that of the recording, by its name.",
     .fields = kMatchByNameFields,
     .form = Form::member}};

constexpr Field kFoldMisfitFields[] = {itself<double>(k::kFraction)};
constexpr TableOf<double> kFoldMisfit{{.key = "fold_misfit", .fields = kFoldMisfitFields}};

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
    value<&FittedModel::misfit>(
        "misfit", k::kFraction,
        "Root mean square difference of its features from those of the recording, in standard errors"),
    value<&FittedModel::held_out_misfit>(
        "held_out_misfit", k::kFraction,
        "The same from runs that it was not fitted to: root mean square over the folds"),
    part<&FittedModel::fold_misfits>("fold_misfits", kFoldMisfit,
                                     "The same from each fold, fitted to the others, in standard errors of a fold"),
    value<&FittedModel::accepted>("accepted", k::kTruth, "Whether all features are accepted"),
    value<&FittedModel::as_near>("as_near_as_nearest", k::kTruth,
                                 "Whether runs held out do not show that another model is nearer"),
    part<&FittedModel::matches>("features", kMatchByName, "Its features by their name"),
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
    part("recorded", kRecordedByName, "Features of the recording by their name",
         [](const FitFinding& f) { return recorded_features(f.fit); }),
    value("held_out_floor", k::kFraction, "held_out_misfit that the runs which are not held out have themselves",
          [](const FitFinding& f) { return f.fit.floor; }),
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
