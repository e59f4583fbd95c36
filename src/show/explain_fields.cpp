#include "show/explain_fields.hpp"

#include <string>

#include "show/explain.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation_shared_fields.hpp"

namespace orderlab::described {

namespace {

using study::ExplainFinding;
using study::OutputLength;
using study::OutputReason;
namespace k = kinds;

constexpr Field kExplainConfigFields[] = {merged<&ExplainFinding::input>(kOperationConfig)};
constexpr TableOf<ExplainFinding> kExplainConfig{
    {.key = "config", .title = "Explanation config", .help = kConfigSentence, .fields = kExplainConfigFields}};

constexpr Field kDeterministicFormFields[] = {
    value<&ExplainFinding::deterministic>("addition", k::kText, "How it adds an output"),
    value<&ExplainFinding::deterministic_source>("source", k::kText, kSourceHelp),
};
constexpr TableOf<ExplainFinding> kDeterministicForm{
    {.key = "deterministic_form", .title = "Deterministic form", .help = {}, .fields = kDeterministicFormFields}};

constexpr Field kOutputReasonFields[] = {
    value<&OutputReason::reason>("reason", k::kText, "The reason, in words", {.where = Where::both}),
    value<&OutputReason::varies>("varies", k::kTruth, "Whether order can change these outputs"),
    value("varies", k::kCount, "1 if order can change these outputs, else 0",
          [](const OutputReason& r) { return r.varies ? 1U : 0U; }, {.where = Where::csv}),
    value<&OutputReason::outputs>("outputs", k::kSome, "Number of outputs", {.where = Where::both}),
};
constexpr TableOf<OutputReason> kOutputReason{{.key = "reason",
                                               .title = "Output reason",
                                               .help = "Outputs with a reason in common.",
                                               .fields = kOutputReasonFields}};

constexpr Field kOutputLengthFields[] = {
    value<&OutputLength::contributions>("contributions", k::kCount, "Number of contributions"),
    value<&OutputLength::outputs>("outputs", k::kSome, "Number of outputs"),
};
constexpr TableOf<OutputLength> kOutputLength{{.key = "length",
                                               .title = "Output length",
                                               .help = "Outputs with equally many contributions.",
                                               .fields = kOutputLengthFields}};

constexpr Field kExplainFields[] = {
    head<ExplainFinding>(),
    command<ExplainFinding>(R"("explain")"),
    group("config", kExplainConfig),
    merged<&ExplainFinding::input>(kOperation),
    value("documented", k::kText, "What the library's documentation says of equal bits",
          [](const ExplainFinding& f) { return text_or_none(f.input.documented); }, {.null = "where it says nothing"}),
    value("freedom", k::kText,
          "The orders of an output's numbers that `orderlab check` has to exclude before it calls a result impossible, "
          "and why these",
          [](const ExplainFinding& f) { return f.input.freedom; }),
    value("assumes", k::kText, kAssumesHelp, [](const ExplainFinding& f) { return text_or_none(f.input.assumes); },
          {.null = ": nothing"}),
    part("deterministic_form", kDeterministicForm, "The library's deterministic form",
         [](const ExplainFinding& f) { return f.deterministic.empty() ? nullptr : &f; },
         {.null = "where there is none"}),
    part<&ExplainFinding::reasons>("reasons", kOutputReason, "Every output once, by why it can or cannot vary"),
    part<&ExplainFinding::lengths>("lengths", kOutputLength,
                                   "Outputs by their number of contributions, ascending; empty for a scan"),
    part<&ExplainFinding::batches>("batches", kBatchSize, kBatchesHelp),
};

}  // namespace

constexpr TableOf<ExplainFinding> kExplainDocument{
    {.key = "explain",
     .title = "Explanation",
     .help =
         "Written by `orderlab explain --json`: which kernel an operation runs, and which outputs order can change.",
     .fields = kExplainFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::ExplainFinding& finding) {
  return json_document(to_json(described::kExplainDocument, finding));
}

std::string to_csv(const study::ExplainFinding& finding) {
  return csv_table(described::kOutputReason, finding.reasons);
}

}  // namespace orderlab
