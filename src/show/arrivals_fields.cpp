#include "show/arrivals_fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_names.hpp"
#include "show/arrivals.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/fit_fields.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/arrivals_options.hpp"

namespace orderlab::described {

namespace {

using study::ArrivalsColumn;
using study::ArrivalsFinding;
using study::ArrivalsReference;
using study::ArrivalsRequest;
namespace k = kinds;

constexpr Field kArrivalsConfigFields[] = {
    value(study::kGridBlocks, k::kSome, [](const ArrivalsRequest& r) { return r.blocks.value_or(0); }),
    value<&ArrivalsRequest::draws>(study::kDraws, k::kSome),
    value(study::kSms, k::kSome, [](const ArrivalsRequest& r) { return r.sms.value_or(0); }),
    value(study::kResident, k::kSome, [](const ArrivalsRequest& r) { return r.resident.value_or(0); }),
    value<&ArrivalsRequest::seed>(study::kArrivalsSeed, k::kCount),
};
constexpr TableOf<ArrivalsRequest> kArrivalsConfig{{.key = "config",
                                                    .title = "Arrivals config",
                                                    .help = "What features depend on beside the sources.",
                                                    .fields = kArrivalsConfigFields}};

constexpr Field kArrivalsReferenceFields[] = {
    value<&ArrivalsReference::name>("name", k::kText, "The recording, as it was given"),
    value<&ArrivalsReference::block_length>("block_length", k::kSome, "Successive runs that are resampled together"),
    value<&ArrivalsReference::replicates>("replicates", k::kSome, "Number of resampled recordings"),
    value<&ArrivalsReference::floor_median>("floor_median", k::kFraction, "Median misfit of the resampled recordings",
                                            {.null = "where no feature varies"}),
    value<&ArrivalsReference::floor_95>("floor_95", k::kFraction, "95 % quantile of these misfits",
                                        {.null = "where no feature varies"}),
    value<&ArrivalsReference::halves>(
        "halves", k::kFraction,
        "Misfit between the first and the second half of the runs, halved: 1 is expected of runs that share nothing",
        {.null = "where no feature varies"}),
};
constexpr TableOf<ArrivalsReference> kArrivalsReference{
    {.key = "reference",
     .title = "Arrivals reference",
     .help = "The first recording, from which differences are measured.",
     .fields = kArrivalsReferenceFields}};

/// One feature of one source.
struct SourceFeature {
  const ArrivalsColumn& column;
  std::size_t feature;
  std::optional<double> error;

  const ArrivalFeatureInfo& info() const { return kArrivalFeatures[feature]; }
};
constexpr std::string_view kNoFeatureError = "without a recording, and where its runs do not vary";
constexpr Field kSourceFeatureFields[] = {
    value("unit", k::kText, "Unit of its value: tickets are positions in the arrival order",
          [](const SourceFeature& f) { return name_of(f.info().unit()); },
          {.words = names_through<FeatureUnit::tickets>(), .where = Where::both}),
    value("value", k::kFinite, "Its value", [](const SourceFeature& f) { return f.column.features[f.feature]; },
          {.null = "where the launch is too short for it", .where = Where::both}),
    value("error", k::kFraction, "Standard error of the recording's value",
          [](const SourceFeature& f) { return f.error; }, {.null = kNoFeatureError, .where = Where::both}),
    value("difference", k::kFinite, "Value less that of the recording, in standard errors of that difference",
          [](const SourceFeature& f) { return f.column.differences[f.feature]; },
          {.null = "of the recording itself, and where there is no standard error", .where = Where::both}),
};
constexpr TableOf<SourceFeature> kSourceFeature{{.key = "source_feature",
                                                 .title = "Arrival feature",
                                                 .help = "A feature of one source.",
                                                 .fields = kSourceFeatureFields}};
constexpr Field kFeatureByNameFields[] = {
    value("name", k::kText, "Its name", [](const SourceFeature& f) { return f.info().name; }),
    group("feature", kSourceFeature, "The feature"),
};
constexpr TableOf<SourceFeature> kFeatureByName{{.key = "feature_by_name",
                                                 .title = "Feature by name",
                                                 .help = "A feature by its name.",
                                                 .fields = kFeatureByNameFields,
                                                 .form = Form::member}};
constexpr Field kFeatureRowFields[] = {
    value("source", k::kText, "The recording or the model", [](const SourceFeature& f) { return f.column.name; },
          {.where = Where::csv}),
    value("feature", k::kText, "Name of the feature", [](const SourceFeature& f) { return f.info().name; },
          {.where = Where::csv}),
    merged([](const SourceFeature& f) -> const SourceFeature& { return f; }, kSourceFeature),
};
constexpr TableOf<SourceFeature> kFeatureRow{
    {.key = "row", .title = "Feature row", .help = "A feature of one source.", .fields = kFeatureRowFields}};

/// A source, and the errors of the reference.
struct ShownSource {
  const ArrivalsColumn& column;
  const std::optional<ArrivalsReference>& reference;

  std::vector<SourceFeature> features() const {
    std::vector<SourceFeature> list;
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
      list.push_back({column, f, reference ? reference->errors[f] : std::nullopt});
    return list;
  }
};
std::vector<ShownSource> shown_sources(const ArrivalsFinding& finding) {
  std::vector<ShownSource> list;
  for (const ArrivalsColumn& column : finding.columns) list.push_back({column, finding.reference});
  return list;
}

constexpr Field kLagCorrelationFields[] = {itself<double>(k::kFinite)};
constexpr TableOf<double> kLagCorrelation{{.key = "correlation", .fields = kLagCorrelationFields}};

std::optional<std::uint64_t> first_wave_number(const ShownSource& source, std::uint64_t FirstWave::*number) {
  const std::optional<FirstWave>& wave = source.column.first_wave;
  return wave ? std::optional(*wave.*number) : std::nullopt;
}

constexpr std::string_view kNoFirstWave = "for a model, and where the file does not say it";
constexpr Field kShownSourceFields[] = {
    value("name", k::kText, "The recording or the model, as it was given",
          [](const ShownSource& s) { return s.column.name; }),
    value("arrival", k::kText, "The model with its parameters",
          [](const ShownSource& s) { return text_or_none(s.column.arrival); }, {.null = "for a recording"}),
    value("recording", k::kText, "Hash of the recorded orders",
          [](const ShownSource& s) { return text_or_none(s.column.hash); }, {.null = "for a model"}),
    value("runs", k::kSome, "Number of orders that its features are of",
          [](const ShownSource& s) { return s.column.runs; }),
    value("multiprocessors", k::kSome, "Multiprocessors of the GPU, as the recording says",
          [](const ShownSource& s) { return first_wave_number(s, &FirstWave::sms); }, {.null = kNoFirstWave}),
    value("resident", k::kSome, "Thread blocks that each of them runs at once, as the recording says",
          [](const ShownSource& s) { return first_wave_number(s, &FirstWave::resident); }, {.null = kNoFirstWave}),
    part(
        "outliers", kOutlierRow, "Rows that take no part, such as a cold start",
        [](const ShownSource& s) -> const auto& { return s.column.outliers; }),
    value("misfit", k::kFraction, "Root mean square difference of its features from the reference, in standard errors",
          [](const ShownSource& s) { return s.column.misfit; }, {.null = "without one, and of the reference itself"}),
    part("features", kFeatureByName, "Its features by their name", [](const ShownSource& s) { return s.features(); }),
    part(
        "correlations", kLagCorrelation, "Correlation of thread blocks launched 1, 2, ... apart",
        [](const ShownSource& s) -> const auto& { return s.column.correlations; }),
};
constexpr TableOf<ShownSource> kShownSource{{.key = "source",
                                             .title = "Arrivals source",
                                             .help = "Recorded orders, or orders drawn from a model.",
                                             .fields = kShownSourceFields}};

constexpr Field kArrivalsFields[] = {
    head<ArrivalsFinding>(),
    command<ArrivalsFinding>(R"("arrivals")"),
    part<&ArrivalsFinding::request>("config", kArrivalsConfig),
    partial([](const ArrivalsFinding& f) { return f.partial(); }),
    part<&ArrivalsFinding::reference>("reference", kArrivalsReference, "The first recording, and what it leaves open",
                                      {.null = "where only models were given"}),
    part("sources", kShownSource, "Recordings and models, as they were given",
         [](const ArrivalsFinding& f) { return shown_sources(f); }),
};

}  // namespace

constexpr TableOf<ArrivalsFinding> kArrivalsDocument{
    {.key = "arrivals",
     .title = "Arrivals",
     .help = "Written by `orderlab arrivals --json`: features of recorded arrival orders and of arrival models.",
     .fields = kArrivalsFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::ArrivalsFinding& finding) {
  return json_document(to_json(described::kArrivalsDocument, finding));
}

std::string to_csv(const study::ArrivalsFinding& finding) {
  std::string csv = csv_titles(described::kFeatureRow);
  for (const described::ShownSource& source : described::shown_sources(finding))
    for (const described::SourceFeature& feature : source.features()) csv += csv_row(described::kFeatureRow, feature);
  return csv;
}

}  // namespace orderlab
