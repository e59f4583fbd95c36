#include "show/infer_model_fields.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/infer_model.hpp"
#include "show/infer_shared_fields.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/infer_model_options.hpp"

namespace orderlab::described {

namespace {

using study::AnswerFlip;
using study::GivenAnswer;
using study::LogitDifference;
using study::ModelComparison;
using study::ModelInferFinding;
using study::ModelInferRequest;
using study::ReductionEffect;
namespace k = kinds;

constexpr std::string_view kFollows = "where it follows from the rest";

std::optional<std::string> format_or_none(const std::optional<Format>& format) {
  return format ? std::optional<std::string>(info(*format).name) : std::nullopt;
}

constexpr Field kServingFields[] = {
    value<&ServingSettings::serving>("serving", k::kText, "Stack that serves the model"),
    value<&ServingSettings::gpu>("gpu", k::kText, "GPU"),
    value("format", k::kFormat, "Format of weights and activations",
          [](const ServingSettings& s) { return std::string(info(s.format).name); }),
    value<&ServingSettings::batch>("batch", k::kSome, "Requests that are decoded together"),
    value<&ServingSettings::tp>("tp", k::kSome, "Ranks of tensor parallelism"),
    value<&ServingSettings::norm_threads>("norm_threads", k::kCount, "Threads of a thread block of RMSNorm",
                                          {.null = kFollows}),
    value<&ServingSettings::split_k>("split_k", k::kSome, "Splits of every matrix product"),
    value("partials", k::kText, "Format of the sums of splits",
          [](const ServingSettings& s) { return format_or_none(s.partials); }, {.null = "for fp32"}),
    value<&ServingSettings::split_kv>("split_kv", k::kCount, "Splits of the keys in attention", {.null = kFollows}),
    value("probabilities", k::kText, "Format that attention rounds probabilities to",
          [](const ServingSettings& s) { return format_or_none(s.probabilities); },
          {.null = "for that of activations"}),
    value("all_reduce", k::kText, "Algorithm that adds over ranks",
          [](const ServingSettings& s) { return text_or_none(s.all_reduce); }, {.null = kFollows}),
};
constexpr TableOf<ServingSettings> kServing{{.key = "serving_settings",
                                             .title = "Serving settings",
                                             .help = "How the model is served.",
                                             .fields = kServingFields}};

constexpr Field kModelConfigFields[] = {
    part<&ModelInferRequest::settings>("settings", kServing, "Of the first run"),
    part<&ModelInferRequest::against>("against", kServing, "Of the runs that are compared with it"),
    value<&ModelInferRequest::tokens>(study::kAnswerTokens, k::kSome),
    value<&ModelInferRequest::contributions>("contributions", k::kTruth,
                                             "Whether each reduction that differs was also changed by itself"),
};
constexpr TableOf<ModelInferRequest> kModelConfig{{.key = "config",
                                                   .title = "Model runs config",
                                                   .help = "What findings depend on beside model and prompts.",
                                                   .fields = kModelConfigFields}};

constexpr Field kDifferenceFields[] = {
    value<&LogitDifference::tokens>("tokens", k::kCount, "Tokens of both runs"),
    value<&LogitDifference::equal>("bit_identical", k::kCount, "Those whose logits are all bit-identical"),
    value<&LogitDifference::mean_abs_logit>("mean_abs_logit_difference", k::kFraction,
                                            "Mean absolute difference of a logit, nats"),
    value<&LogitDifference::mean_abs>(
        "mean_abs_change", k::kFraction,
        "Mean absolute change of the margin between the first run's two leading tokens, nats"),
    value<&LogitDifference::flips>("flips", k::kCount, "Tokens whose most likely candidate is another one"),
    value<&LogitDifference::expected>("expected", k::kFraction, "Flips that the changes of margins predict",
                                      {.where = Where::both}),
    value<&LogitDifference::expected_by_density>("expected_by_density", k::kFraction,
                                                 "Flips that the density of margins at 0 predicts",
                                                 {.null = "for fewer than 20 margins above 0"}),
};
constexpr TableOf<LogitDifference> kDifference{{.key = "logit_difference",
                                                .title = "Difference of logits",
                                                .help = "Tokens of the same texts in two runs.",
                                                .fields = kDifferenceFields}};

constexpr Field kEffectFields[] = {
    value<&ReductionEffect::name>("reduction", k::kText, "Its name"),
    value<&ReductionEffect::summary>("summary", k::kText, "What it adds"),
    value<&ReductionEffect::first>("in_first_run", k::kText, "What it is in the first run"),
    value<&ReductionEffect::other>("in_this_run", k::kText, "What it is in the other run"),
    part("alone", kDifference, "The first run with this reduction alone changed",
         [](const ReductionEffect& e) -> const LogitDifference* { return e.alone.tokens > 0 ? &e.alone : nullptr; },
         {.absent = "where no other reduction differs"}),
    part("all_but_this", kDifference, "The first run with all other reductions changed",
         [](const ReductionEffect& e) -> const LogitDifference* { return e.without.tokens > 0 ? &e.without : nullptr; },
         {.absent = "where no other reduction differs"}),
};
constexpr TableOf<ReductionEffect> kEffect{{.key = "reduction",
                                            .title = "Effect of a reduction",
                                            .help = "A reduction in which two runs differ.",
                                            .fields = kEffectFields}};

constexpr Field kAnswerFlipFields[] = {
    value<&AnswerFlip::answer>("answer", k::kText, "Name of its prompt"),
    value<&AnswerFlip::flip>("flip", k::kSome, "Position of the first flip, from 1", {.null = "where there is none"}),
};
constexpr TableOf<AnswerFlip> kAnswerFlip{
    {.key = "answer", .title = "Answer", .help = "An answer in another run.", .fields = kAnswerFlipFields}};

constexpr Field kComparisonFields[] = {
    value<&ModelComparison::changes>("run", k::kText, "What it changes of the first run's settings"),
    part<&ModelComparison::difference>("difference", kDifference, "Tokens beside the first run's"),
    part<&ModelComparison::per_1000>("flips_per_1000", kInterval95,
                                     "Flips per 1000 tokens, with the interval of a Poisson number"),
    value<&ModelComparison::half>("tokens_to_half", k::kFraction,
                                  "Expected tokens until half of the answers have diverged",
                                  {.null = "where no flip is expected"}),
    value("diverged", k::kCount, "Answers with a flip", [](const ModelComparison& c) { return c.diverged(); }),
    part<&ModelComparison::reductions>("reductions", kEffect, "Reductions that differ"),
    part<&ModelComparison::answers>("answers", kAnswerFlip, "The answers"),
};
constexpr TableOf<ModelComparison> kComparison{{.key = "comparison",
                                                .title = "Run beside the first",
                                                .help = "Another run of the same texts.",
                                                .fields = kComparisonFields}};

/// An answer of one run, for CSV.
struct AnswerRow {
  std::string run;
  const AnswerFlip* answer;
};

constexpr Field kAnswerRowFields[] = {
    value<&AnswerRow::run>("run", k::kText, "What the run changes of the first run's settings", {.where = Where::csv}),
    value("answer", k::kText, "Name of its prompt", [](const AnswerRow& row) { return row.answer->answer; },
          {.where = Where::csv}),
    value("flip", k::kSome, "Position of the first flip, from 1", [](const AnswerRow& row) { return row.answer->flip; },
          {.null = "where there is none", .where = Where::csv}),
};
constexpr TableOf<AnswerRow> kAnswerRow{
    {.key = "answer_row", .title = "Answer", .help = "An answer in another run.", .fields = kAnswerRowFields}};

constexpr Field kTokenFields[] = {itself<std::uint32_t>(k::kCount)};
constexpr TableOf<std::uint32_t> kToken{{.key = "token", .fields = kTokenFields}};

constexpr Field kGivenAnswerFields[] = {
    value<&GivenAnswer::prompt>("prompt", k::kText, "Name of the prompt"),
    part<&GivenAnswer::tokens>("tokens", kToken, "Ids of its tokens"),
};
constexpr TableOf<GivenAnswer> kGivenAnswer{{.key = "given_answer",
                                             .title = "Answer of the first run",
                                             .help = "What the model answered.",
                                             .fields = kGivenAnswerFields}};

constexpr Field kModelFields[] = {
    value<&ModelInferFinding::model>("name", k::kText, "Folder of the model, or tiny"),
    value<&ModelInferFinding::type>("type", k::kText, "Type of the model in its config.json"),
    value<&ModelInferFinding::parameters>("parameters", k::kCount, "Number of weights"),
};
constexpr TableOf<ModelInferFinding> kModel{
    {.key = "model", .title = "Language model", .help = "The model that answers.", .fields = kModelFields}};

constexpr Field kInferModelFields[] = {
    head<ModelInferFinding>(),
    command<ModelInferFinding>(R"("infer")"),
    part<&ModelInferFinding::request>("config", kModelConfig),
    group("model", kModel, "The model"),
    value<&ModelInferFinding::asked>("prompts", k::kCount, "Prompts"),
    partial([](const ModelInferFinding& f) { return f.partial(); }),
    value<&ModelInferFinding::tokens>("tokens", k::kCount, "Tokens of all answers"),
    value<&ModelInferFinding::ties>("ties", k::kCount, "Tokens whose two leading candidates have equal logits"),
    part<&ModelInferFinding::density>("density", kMarginDensity, "Density of the first run's margins at 0",
                                      {.null = "for fewer than 20 margins above 0"}),
    part<&ModelInferFinding::comparisons>("comparisons", kComparison, "The other runs"),
    part<&ModelInferFinding::answers>("answers", kGivenAnswer, "Answers of the first run"),
};

}  // namespace

constexpr TableOf<ModelInferFinding> kInferModelDocument{
    {.key = "infer_model",
     .title = "Model runs",
     .help = "Written by `orderlab infer MODEL --json`: tokens that flip where a language model is served differently.",
     .fields = kInferModelFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::ModelInferFinding& finding) {
  return json_document(to_json(described::kInferModelDocument, finding));
}

std::string to_csv(const study::ModelInferFinding& finding) {
  std::string csv = csv_titles(described::kAnswerRow);
  for (const study::ModelComparison& comparison : finding.comparisons)
    for (const study::AnswerFlip& answer : comparison.answers)
      csv += csv_row(described::kAnswerRow, described::AnswerRow{comparison.changes, &answer});
  return csv;
}

}  // namespace orderlab
