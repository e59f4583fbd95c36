// The fields of `infer` with a model. Longer than most files: what is asked, what is kept of an answer and what is found
// share their fields.
#include "show/infer_model_fields.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/enum_names.hpp"
#include "orderlab/error.hpp"
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
using study::AnswerFlipped;
using study::AnswerRecord;
using study::AnswerRunRecord;
using study::DrawnAnswer;
using study::DrawnRuns;
using study::GivenAnswer;
using study::LogitDifference;
using study::ModelComparison;
using study::ModelInferFinding;
using study::ModelInferRequest;
using study::ReductionEffect;
namespace k = kinds;

std::optional<std::string> part_or_none(const ModelInferFinding& finding) {
  const ModelInferRequest& request = finding.request;
  if (request.parts == 1) return std::nullopt;
  return std::to_string(request.part) + "/" + std::to_string(request.parts);
}

constexpr std::string_view kFollows = "where it follows from the rest";

std::optional<std::string> format_or_none(const std::optional<Format>& format) {
  return format ? std::optional<std::string>(info(*format).name) : std::nullopt;
}

/// A setting as changed_settings reads it.
bool take_setting(ServingSettings& settings, std::string_view key, const std::string& text) {
  try {
    settings = changed_settings(settings, std::string(key) + "=" + text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The same where it may be left out.
bool take_setting(ServingSettings& settings, std::string_view key, const std::optional<std::string>& text) {
  return !text || take_setting(settings, key, *text);
}

constexpr const auto& kSplitOrderNames = names_through<SplitOrder::arrival>();

constexpr Field kServingFields[] = {
    value<&ServingSettings::serving>("serving", k::kText, "Stack that serves the model"),
    value<&ServingSettings::gpu>("gpu", k::kText, "GPU"),
    value(
        "format", k::kFormat, "Format of weights and activations",
        [](const ServingSettings& s) { return std::string(info(s.format).name); },
        [](ServingSettings& s, const std::string& t) { return take_setting(s, "format", t); }),
    value<&ServingSettings::batch>("batch", k::kSome, "Requests that are decoded together"),
    value<&ServingSettings::tp>("tp", k::kSome, "Ranks of tensor parallelism"),
    value<&ServingSettings::norm_threads>("norm_threads", k::kCount, "Threads of a thread block of RMSNorm",
                                          {.null = kFollows}),
    value<&ServingSettings::split_k>("split_k", k::kSome, "Splits of every matrix product"),
    value(
        "partials", k::kText, "Format of the sums of splits",
        [](const ServingSettings& s) { return format_or_none(s.partials); },
        [](ServingSettings& s, const std::optional<std::string>& t) { return take_setting(s, "partials", t); },
        {.null = "for fp32"}),
    word<&ServingSettings::split_order, kSplitOrderNames>(
        "split_order", k::kText, "How the sums of splits are added: in turn, or as they arrive in runs that draw"),
    value<&ServingSettings::split_kv>("split_kv", k::kCount, "Splits of the keys in attention", {.null = kFollows}),
    value(
        "probabilities", k::kText, "Format that attention rounds probabilities to",
        [](const ServingSettings& s) { return format_or_none(s.probabilities); },
        [](ServingSettings& s, const std::optional<std::string>& t) { return take_setting(s, "probabilities", t); },
        {.null = "for that of activations"}),
    value(
        "all_reduce", k::kText, "Algorithm that adds over ranks",
        [](const ServingSettings& s) { return text_or_none(s.all_reduce); },
        [](ServingSettings& s, const std::optional<std::string>& t) { return take_setting(s, "all_reduce", t); },
        {.null = kFollows}),
};
constexpr TableOf<ServingSettings> kServing{{.key = "serving_settings",
                                             .title = "Serving settings",
                                             .help = "How the model is served.",
                                             .fields = kServingFields}};

constexpr Field kNeighbourFields[] = {itself<std::uint64_t>(k::kSome)};
constexpr TableOf<std::uint64_t> kNeighbour{{.key = "neighbour", .fields = kNeighbourFields}};

constexpr Field kModelConfigFields[] = {
    part<&ModelInferRequest::settings>("settings", kServing, "Of the first run"),
    part<&ModelInferRequest::against>("against", kServing, "Of the runs that are compared with it"),
    value<&ModelInferRequest::tokens>(study::kAnswerTokens, k::kSome),
    value<&ModelInferRequest::runs>(study::kDrawnRuns, k::kCount),
    value<&ModelInferRequest::seed>("seed", k::kCount, "Seed of what these runs draw"),
    part<&ModelInferRequest::neighbours>(
        "neighbours", kNeighbour, "Batch sizes that these runs draw each token's from; none: that of the settings"),
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

constexpr Field kDrawnAnswerFields[] = {
    value<&DrawnAnswer::answer>("answer", k::kText, "Name of its prompt"),
    value("diverged", k::kCount, "Runs with a flip", [](const DrawnAnswer& a) { return a.diverged(); }),
    value("earliest", k::kSome, "Position of the earliest flip, from 1",
          [](const DrawnAnswer& a) { return a.earliest(); }, {.null = "where there is none"}),
    value<&DrawnAnswer::distinct>("distinct", k::kSome,
                                  "Answers of these runs that differ by the place or the token of their first flip; "
                                  "behind it there may be more"),
};
constexpr TableOf<DrawnAnswer> kDrawnAnswer{{.key = "drawn_answer",
                                             .title = "Answer of runs that draw",
                                             .help = "An answer in all runs that draw.",
                                             .fields = kDrawnAnswerFields}};

constexpr Field kDrawnFields[] = {
    part<&DrawnRuns::difference>("difference", kDifference, "Tokens of all of them beside the first run's"),
    part<&DrawnRuns::per_1000>("flips_per_1000", kInterval95,
                               "Flips per 1000 tokens, with an interval over prompts, however flips of one prompt "
                               "depend on each other"),
    value<&DrawnRuns::half>("tokens_to_half", k::kFraction, "Expected tokens until half of the answers have diverged",
                            {.null = "where no flip is expected"}),
    part<&DrawnRuns::answers>("answers", kDrawnAnswer, "The answers"),
};
constexpr TableOf<DrawnRuns> kDrawn{{.key = "drawn_runs",
                                     .title = "Runs that draw",
                                     .help = "Runs of the first settings, each with draws of its own.",
                                     .fields = kDrawnFields}};

constexpr Field kModelFields[] = {
    value<&ModelInferFinding::model>("name", k::kText, "Folder of the model, or tiny"),
    value<&ModelInferFinding::type>("type", k::kText, "Type of the model in its config.json"),
    value<&ModelInferFinding::parameters>("parameters", k::kCount, "Number of weights"),
    value<&ModelInferFinding::vocabulary>("vocabulary", k::kSome, "Number of its tokens"),
    value(
        "hash", k::kText, "Hash of its files", [](const ModelInferFinding& f) { return text_or_none(f.hash); },
        [](ModelInferFinding& f, const std::optional<std::string>& t) {
          f.hash = t.value_or("");
          return true;
        },
        {.null = "for a model that is not of files"}),
};
constexpr TableOf<ModelInferFinding> kModel{
    {.key = "model", .title = "Language model", .help = "The model that answers.", .fields = kModelFields}};

constexpr Field kInferModelFields[] = {
    head<ModelInferFinding>(),
    command<ModelInferFinding>(R"("infer")"),
    part<&ModelInferFinding::request>("config", kModelConfig),
    group("model", kModel, "The model"),
    value<&ModelInferFinding::prompts_hash>("prompts_hash", k::kHash, "Hash of all prompts"),
    value<&ModelInferFinding::asked>("prompts", k::kCount, "Prompts"),
    value("part", k::kText, "Which part of all prompts these are, such as 2/4",
          [](const ModelInferFinding& f) { return part_or_none(f); }, {.null = "for all of them"}),
    partial([](const ModelInferFinding& f) { return f.partial(); }),
    value<&ModelInferFinding::tokens>("tokens", k::kCount, "Tokens of all answers"),
    value<&ModelInferFinding::ties>("ties", k::kCount, "Tokens whose two leading candidates have equal logits"),
    part<&ModelInferFinding::density>("density", kMarginDensity, "Density of the first run's margins at 0",
                                      {.null = "for fewer than 20 margins above 0"}),
    part<&ModelInferFinding::comparisons>("comparisons", kComparison, "The other runs"),
    part<&ModelInferFinding::drawn>("drawn", kDrawn, "The runs that draw", {.null = "where there are none"}),
    part<&ModelInferFinding::answers>("answers", kGivenAnswer, "Answers of the first run"),
};

// ---- what is kept

constexpr Field kReductionFields[] = {
    value<&ReductionEffect::name>("reduction", k::kText, "Its name"),
    value<&ReductionEffect::summary>("summary", k::kText, "What it adds"),
    value<&ReductionEffect::first>("in_first_run", k::kText, "What it is in the first run"),
    value<&ReductionEffect::other>("in_this_run", k::kText, "What it is in the other run"),
};
constexpr TableOf<ReductionEffect> kReduction{{.key = "reduction",
                                               .title = "Reduction",
                                               .help = "A reduction in which two runs differ.",
                                               .fields = kReductionFields}};
constexpr Field kAskedComparisonFields[] = {
    value<&ModelComparison::changes>("run", k::kText, "What it changes of the first run's settings"),
    part<&ModelComparison::reductions>("reductions", kReduction, "Reductions that differ"),
};
constexpr TableOf<ModelComparison> kAskedComparison{{.key = "comparison",
                                                     .title = "Run beside the first",
                                                     .help = "Another run of the same texts.",
                                                     .fields = kAskedComparisonFields}};
constexpr Field kInferQuestionFields[] = {
    part<&ModelInferFinding::request>("config", kModelConfig),
    group("model", kModel, "The model"),
    value<kThrough<&ModelInferFinding::request, &ModelInferRequest::prompts>>("file", k::kText, "File of the prompts"),
    value<&ModelInferFinding::prompts_hash>("prompts_hash", k::kHash, "Hash of all prompts"),
    value<&ModelInferFinding::prompts>("prompts", k::kSome, "Prompts"),
    part<&ModelInferFinding::comparisons>("comparisons", kAskedComparison, "The other runs"),
};
constexpr TableOf<ModelInferFinding> kInferQuestion{{.key = "question",
                                                     .title = "Question about a model",
                                                     .help = "What a finding is about.",
                                                     .fields = kInferQuestionFields}};

// What decides every number of a record. Prompts and weights are hashed whole, since a record has a number alone.
constexpr Field kAnswerConfigFields[] = {
    part<&ModelInferFinding::request>("config", kModelConfig),
    value("model", k::kText, "Hash of the model's files", [](const ModelInferFinding& f) { return f.hash; }),
    value<&ModelInferFinding::prompts_hash>("prompts", k::kHash, "Hash of all prompts"),
};
constexpr TableOf<ModelInferFinding> kAnswerConfig{{.key = "record_config",
                                                    .title = "Answer record config",
                                                    .help = "What decides every number of an answer's record.",
                                                    .fields = kAnswerConfigFields}};

constexpr Field kNumberFields[] = {itself<double>(k::kFinite)};
constexpr TableOf<double> kOneNumber{{.key = "number", .fields = kNumberFields}};
constexpr Field kKeptFlipFields[] = {
    value<&AnswerFlipped::position>("position", k::kSome, "Position, from 1"),
    value<&AnswerFlipped::token>("token", k::kCount, "Token that leads there"),
};
constexpr TableOf<AnswerFlipped> kKeptFlip{
    {.key = "flip", .title = "Flip", .help = "A flip.", .fields = kKeptFlipFields, .form = Form::numbers}};
constexpr Field kKeptRunFields[] = {
    value<&AnswerRunRecord::equal>("bit_identical", k::kCount, "Tokens whose logits are all bit-identical"),
    value<&AnswerRunRecord::sum_abs_logit>("sum_abs_logit", k::kFraction, "Sum of all absolute differences of logits"),
    part<&AnswerRunRecord::changes>("changes", kOneNumber, "Changes of the margins"),
    part<&AnswerRunRecord::flips>("flips", kKeptFlip, "Flips"),
};
constexpr TableOf<AnswerRunRecord> kKeptRun{
    {.key = "run", .title = "Run", .help = "An answer in another run.", .fields = kKeptRunFields}};
constexpr Field kAnswerRecordFields[] = {
    value<&AnswerRecord::number>("number", k::kCount, "Number of the prompt, from 0"),
    value<&AnswerRecord::prompt>("prompt", k::kText, "Its name"),
    part<&AnswerRecord::tokens>("tokens", kToken, "Tokens of the answer"),
    part<&AnswerRecord::margins>("margins", kOneNumber, "Their margins"),
    part<&AnswerRecord::others>("others", kToken, "The second likeliest tokens"),
    part<&AnswerRecord::runs>("runs", kKeptRun, "The other runs"),
};
constexpr TableOf<AnswerRecord> kAnswerRecord{
    {.key = "answer_record", .title = "Answer", .help = "An answer in all runs.", .fields = kAnswerRecordFields}};

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

Json record_config(const study::ModelInferFinding& question) { return to_json(described::kAnswerConfig, question); }

Json question_json(const study::ModelInferFinding& question) { return to_json(described::kInferQuestion, question); }

study::ModelInferFinding infer_question_from(const Json& json) {
  study::ModelInferFinding question;
  read_whole(described::kInferQuestion, json, question);
  study::kModelInferOptions.check(question.request);
  if (question.vocabulary < 2) throw Error(ErrorKind::input, "a model of fewer than two tokens");
  question.asked = question.prompts;
  if (question.request.runs > 0) question.drawn.emplace();
  return question;
}

std::string record_text(const study::AnswerRecord& record) { return to_json(described::kAnswerRecord, record).dump(); }

study::AnswerRecord answer_record(std::string_view text) {
  study::AnswerRecord record;
  read_whole(described::kAnswerRecord, Json::parse(text), record);
  if (std::any_of(record.margins.begin(), record.margins.end(), [](double margin) { return margin < 0; }))
    throw Error(ErrorKind::input, "record of an answer: a margin below 0");
  return record;
}

}  // namespace orderlab
