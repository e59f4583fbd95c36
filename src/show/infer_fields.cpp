#include "show/infer_fields.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "core/enum_names.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/infer.hpp"
#include "show/infer_shared_fields.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/infer_options.hpp"

namespace orderlab::described {

namespace {

using study::ComparedAnswer;
using study::InferFinding;
using study::InferRequest;
using study::MarginChange;
using study::MeasuredNoise;
using study::ObservedFlips;
namespace k = kinds;

constexpr std::string_view kWithoutSecondRun = "without a second run";

constexpr Field kInferConfigFields[] = {
    value<&InferRequest::noise>(study::kNoise, k::kFraction, {.null = "with a second run"}),
    value<&InferRequest::seed>(study::kInferSeed, k::kCount),
};
constexpr TableOf<InferRequest> kInferConfig{{.key = "config",
                                              .title = "Flips config",
                                              .help = "What findings depend on beside the answers.",
                                              .fields = kInferConfigFields}};

constexpr Field kInferTokensFields[] = {
    value<&InferFinding::tokens>("all", k::kCount, "Tokens of the first run"),
    value<&InferFinding::compared>("compared", k::kCount, "Those up to the first flip of each answer, with it"),
    value<&InferFinding::ties>("ties", k::kCount, "Those whose two likeliest candidates have equal logits"),
    value<&InferFinding::unlisted>("unlisted", k::kCount,
                                   "Compared tokens of which the second run does not list both candidates"),
    value<&InferFinding::equal>("equal", k::kCount, "Compared tokens whose margin did not change"),
};
constexpr TableOf<InferFinding> kInferTokens{
    {.key = "tokens", .title = "Compared tokens", .help = "Numbers of tokens.", .fields = kInferTokensFields}};

constexpr Field kMeasuredNoiseFields[] = {
    value<&MeasuredNoise::mean>("mean", k::kFinite, "Mean change of a margin with its sign, nats"),
    value<&MeasuredNoise::sd>("sd", k::kFraction, "Standard deviation around 0, nats"),
    value<&MeasuredNoise::robust_sd>("robust_sd", k::kFraction,
                                     "1.4826 times the median magnitude of the changes that are not 0, nats"),
};
constexpr TableOf<MeasuredNoise> kMeasuredNoise{{.key = "measured",
                                                 .title = "Measured noise",
                                                 .help = "Changes of margins between two runs.",
                                                 .fields = kMeasuredNoiseFields}};

constexpr Field kObservedFlipsFields[] = {
    value<&ObservedFlips::flips>("flips", k::kCount, "Answers that diverged, one flip each"),
    part<&ObservedFlips::per_1000>("per_1000", kInterval95,
                                   "Flips per 1000 compared tokens, with the interval of a Poisson number"),
    value<&ObservedFlips::chance_low>("chance_low", k::kCount,
                                      "2.5 % quantile of the flips that chance gives where they are expected as said"),
    value<&ObservedFlips::chance_high>("chance_high", k::kCount, "97.5 % quantile"),
};
constexpr TableOf<ObservedFlips> kObservedFlips{{.key = "observed",
                                                 .title = "Observed flips",
                                                 .help = "Tokens that differ between two runs.",
                                                 .fields = kObservedFlipsFields}};

constexpr Field kMarginChangeFields[] = {
    value<&MarginChange::nats>("nats", k::kFraction, "Its magnitude, nats"),
    value<&MarginChange::at_least>("at_least", k::kTruth,
                                   "Whether it may be larger, since a list lacks one of the tokens"),
    value<&MarginChange::answer>("answer", k::kText, "Name of the answer"),
    value<&MarginChange::token>("token", k::kSome, "Position of the token in the answer, from 1"),
    value<&MarginChange::chosen>("chosen", k::kText, "Text of the token in the first run"),
};
constexpr TableOf<MarginChange> kMarginChange{{.key = "largest",
                                               .title = "Largest change",
                                               .help = "The largest change of a margin.",
                                               .fields = kMarginChangeFields}};

constexpr std::string_view kFewChanges = "where fewer than 20 margins changed";
constexpr Field kNoiseLimitFields[] = {
    value<&NoiseLimit::allowed>("allowed", k::kFraction, "Largest change that rounding explains, nats"),
    value<&NoiseLimit::changed>("changed", k::kCount, "Number of other changes that are not 0"),
    value<&NoiseLimit::median>("median", k::kFraction, "Median of their magnitudes, nats", {.null = kFewChanges}),
    value<&NoiseLimit::shape>("shape", k::kFraction, "Exponent of their tail: 2 of normal numbers",
                              {.null = kFewChanges}),
};
constexpr TableOf<NoiseLimit> kNoiseLimit{{.key = "limit",
                                           .title = "Noise limit",
                                           .help = "What all other changes allow the largest one.",
                                           .fields = kNoiseLimitFields}};

constexpr Field kComparedAnswerFields[] = {
    value<&ComparedAnswer::name>("answer", k::kText, "Its custom_id or id, or its number", {.where = Where::both}),
    value<&ComparedAnswer::tokens>("tokens", k::kCount, "Tokens in the first run", {.where = Where::both}),
    value<&ComparedAnswer::compared>(
        "compared", k::kCount, "Tokens up to the first flip, with it; 0 without a second run", {.where = Where::both}),
    value<&ComparedAnswer::flip>("flip", k::kSome, "Position of the first flip, from 1",
                                 {.null = "where there is none", .where = Where::both}),
    value<&ComparedAnswer::shorter>("shorter", k::kTruth, "Whether lengths differ without a flip",
                                    {.where = Where::both}),
    value<&ComparedAnswer::expected>("expected", k::kFraction,
                                     "Expected flips of the compared tokens, or of all without a second run",
                                     {.where = Where::both}),
    value<&ComparedAnswer::without_flip>("without_flip", k::kProbability, "Probability that none of its tokens flips",
                                         {.where = Where::both}),
    value<&ComparedAnswer::largest>("largest", k::kFraction, "Largest change of a margin, nats",
                                    {.null = kWithoutSecondRun, .where = Where::both}),
};
constexpr TableOf<ComparedAnswer> kComparedAnswer{{.key = "answer",
                                                   .title = "Compared answer",
                                                   .help = "An answer of the first run.",
                                                   .fields = kComparedAnswerFields}};

constexpr std::string_view kNoFlips = "where no flip is expected";
constexpr std::string_view kNoLimit = "where there is none, and where it expects no flip";
constexpr Field kInferFields[] = {
    head<InferFinding>(),
    command<InferFinding>(R"("infer")"),
    part<&InferFinding::request>("config", kInferConfig),
    value<&InferFinding::run>("run", k::kText, "File of the first run"),
    value("against", k::kText, "File of the second run", [](const InferFinding& f) { return text_or_none(f.against); },
          {.null = "without one"}),
    word<&InferFinding::matched_by, names_through<study::MatchedBy::order>()>(
        "matched_by", k::kText, "What answers of both runs are matched by"),
    value<&InferFinding::unmatched>("unmatched", k::kCount, "Answers of both runs without a partner"),
    group("tokens", kInferTokens, "Numbers of tokens"),
    value<&InferFinding::mean_abs>("mean_abs", k::kFraction, "Mean absolute change of a margin, nats"),
    part<&InferFinding::measured>("measured", kMeasuredNoise, "Noise between the two runs",
                                  {.null = "without a second run, and where no change is known"}),
    part<&InferFinding::density>("density", kMarginDensity, "Density of the margins at 0",
                                 {.null = "for fewer than 20 margins above 0"}),
    value<&InferFinding::expected>("expected", k::kFraction,
                                   "Expected flips of the compared tokens, or of all without a second run"),
    value<&InferFinding::expected_by_density>("expected_by_density", k::kFraction,
                                              "The same by the density: half the mean change times it, and ties",
                                              {.null = "without a density"}),
    part<&InferFinding::per_1000>("per_1000", kInterval95,
                                  "Expected flips per 1000 tokens, with the interval of a bootstrap over answers"),
    value<&InferFinding::half>("half", k::kFraction, "Tokens until half of the answers have diverged",
                               {.null = kNoFlips}),
    value<&InferFinding::half_low>("half_low", k::kFraction, "The same for the upper limit of per_1000",
                                   {.null = kNoLimit}),
    value<&InferFinding::half_high>("half_high", k::kFraction, "The same for its lower limit", {.null = kNoLimit}),
    value<&InferFinding::test_answers>("test_answers", k::kSome,
                                       "Answers like these that show a flip with 95 % probability", {.null = kNoFlips}),
    part<&InferFinding::observed>("observed", kObservedFlips, "Flips between the two runs",
                                  {.null = kWithoutSecondRun}),
    part<&InferFinding::largest>("largest", kMarginChange, "The largest change of a margin",
                                 {.null = "without a second run, and where none changed"}),
    part<&InferFinding::limit>("limit", kNoiseLimit, "What all other changes allow it",
                               {.null = "where there is no largest change"}),
    value("explained", k::kTruth, "Whether rounding explains the second run",
          [](const InferFinding& f) { return f.explained(); },
          {.null = "without a second run, and where it cannot be told"}),
    part<&InferFinding::answers>("answers", kComparedAnswer, "The answers, in the order of the first run"),
};

}  // namespace

constexpr TableOf<InferFinding> kInferDocument{
    {.key = "infer",
     .title = "Flips",
     .help = "Written by `orderlab infer --json`: flips of tokens between runs of a language model.",
     .fields = kInferFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::InferFinding& finding) {
  return json_document(to_json(described::kInferDocument, finding));
}

std::string to_csv(const study::InferFinding& finding) {
  std::string csv = csv_titles(described::kComparedAnswer);
  for (const study::ComparedAnswer& answer : finding.answers) csv += csv_row(described::kComparedAnswer, answer);
  return csv;
}

}  // namespace orderlab
