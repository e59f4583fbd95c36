// The fields of `check`. Longer than most files: a finding that has two forms, of all orders and of samples.
#include "show/check_fields.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_names.hpp"
#include "orderlab/format.hpp"
#include "show/check.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/given_fields.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/check_options.hpp"

namespace orderlab::described {

namespace {

using study::CheckFinding;
using study::Suggestion;
namespace k = kinds;

constexpr Field kCheckConfigFields[] = {
    merged<&CheckFinding::input>(kTermsConfig),
    merged<&CheckFinding::asked>(kOrderConfig),
    value<&CheckFinding::seed>(study::kSeed, k::kCount),
    value(study::kCheckConfidence, k::kProbability, [](const CheckFinding& f) { return f.result.confidence; }),
    value<&CheckFinding::samples_asked>(study::kCheckSamples, k::kCount,
                                        {.null = ": chosen from confidence, number of results and n"}),
    value<&CheckFinding::memory_bytes>(study::kQuickMemory, k::kCount),
    part("values", kGivenRow, "The results that were given: bits, and how often they were given",
         [](const CheckFinding& f) {
           std::vector<GivenRow> given;
           for (const ValueVerdict& v : f.result.values)
             given.push_back({f.input.formats.result, v.bits, v.given, v.digits_given});
           return given;
         },
         {.list_rule = R"({"minItems": 1})"}),
    value("means", k::kFormat, kMeansHelp,
          [](const CheckFinding& f) { return f.means ? std::optional(info(*f.means).name) : std::nullopt; },
          {.absent = "where sums were given"}),
    value(study::kFtz, k::kText, [](const CheckFinding& f) { return name_of(f.flushing); }),
    value("arrivals_known", k::kTruth, "Whether arrivals were named, so that frequencies decide",
          [](const CheckFinding& f) { return f.result.frequencies_decide; }),
};
constexpr TableOf<CheckFinding> kCheckConfig{
    {.key = "config", .title = "Check config", .help = kConfigSentence, .fields = kCheckConfigFields}};

struct RangeOfSamples {
  std::optional<double> min;
  std::optional<double> max;
};
std::optional<RangeOfSamples> sample_range(const CheckFinding& finding) {
  if (finding.all) return {};
  const auto seen = finding.samples->extremes();
  return seen ? RangeOfSamples{seen->min, seen->max} : RangeOfSamples{};
}
constexpr More kNullIfNoneIsFinite{.null = "where no result is finite"};
constexpr Field kSampleRangeFields[] = {
    value<&RangeOfSamples::min>("min", k::kFinite, "Least", kNullIfNoneIsFinite),
    value<&RangeOfSamples::max>("max", k::kFinite, "Greatest", kNullIfNoneIsFinite),
};
constexpr TableOf<RangeOfSamples> kSampleRange{{.key = "range", .title = "Sample range", .fields = kSampleRangeFields}};

/// Sums of arrival orders that are not uniform.
struct ArrivalSums {
  Format format;
  const UsualArrivals& others;

  double number(std::int64_t key) const { return value_of_bits(format, bits_of_key(format, key)); }
};
/// Empty: not asked; nothing inside: not needed.
std::optional<std::optional<ArrivalSums>> arrival_sums(const CheckFinding& finding) {
  if (finding.all) return {};
  const bool known = finding.others && finding.others->sums;
  return known ? std::optional(ArrivalSums{finding.input.formats.result, *finding.others}) : std::nullopt;
}
constexpr Field kArrivalSumsFields[] = {
    value("orders", k::kCount, "Number of orders tried", [](const ArrivalSums& s) { return s.others.tried; }),
    value("searched", k::kTruth, "Whether local changes of these orders reached further",
          [](const ArrivalSums& s) { return s.others.searched; }),
    value("min", k::kFinite, "Least finite sum", [](const ArrivalSums& s) { return s.number(s.others.sums->low); }),
    value("max", k::kFinite, "Greatest finite sum", [](const ArrivalSums& s) { return s.number(s.others.sums->high); }),
};
constexpr TableOf<ArrivalSums> kArrivalSums{
    {.key = "other_arrivals", .title = "Other arrivals", .fields = kArrivalSumsFields}};

/// A result with its verdict: a row of CSV.
struct VerdictRow {
  const ValueVerdict& verdict;
  Format format;
};
std::vector<VerdictRow> verdict_rows(const CheckFinding& finding) {
  std::vector<VerdictRow> rows;
  for (const ValueVerdict& v : finding.result.values) rows.push_back({v, finding.input.formats.result});
  return rows;
}

constexpr std::span<const std::string_view> kVerdictWords = names_through<Verdict::impossible>();
constexpr More kVerdictInBoth{.where = Where::both};

constexpr Field kVerdictRowFields[] = {
    value(
        "bits", k::kBits, kResultBitsHelp, [](const VerdictRow& r) { return bits_text(r.format, r.verdict.bits); },
        kVerdictInBoth),
    value(
        "value", k::kNumber, "The result", [](const VerdictRow& r) { return r.verdict.value; }, kVerdictInBoth),
    value(
        "given", k::kSome, "How often it was given", [](const VerdictRow& r) { return r.verdict.given; },
        kVerdictInBoth),
    value("digits", k::kCount,
          "Significant digits of the decimal by which it was read, where its exact reading is not explained",
          [](const VerdictRow& r) { return r.verdict.digits == 0 ? std::nullopt : std::optional(r.verdict.digits); },
          {.null = ": it was read exactly", .where = Where::both}),
    value(
        "numbers", k::kSome, "How many numbers of the format this reading leaves",
        [](const VerdictRow& r) { return r.verdict.read.size(); }, kVerdictInBoth),
    value("verdict", k::kText,
          "explained: some order gives it, or it lies inside the range of the samples, or outside by chance. unlikely: "
          "outside that range, inside the bound over every order, and too many are. impossible: no order gives it. "
          "none: interrupted before the samples that would decide",
          [](const VerdictRow& r) { return name_of(r.verdict.verdict); },
          {.words = kVerdictWords, .where = Where::both}),
    value(
        "reason", k::kText,
        "Reason of the verdict: some order gives it (reachable), some sample gave it (seen), it lies between two "
        "samples (inside_range), between sums of other arrival orders (inside_reach), outside all samples and inside "
        "the bound over every order (beyond_range), outside all samples where no such bound is derived (not_bounded), "
        "not sampled where some order may overflow (may_overflow), no order gives it (unreachable), outside the bound "
        "over every order (outside_bound), not finite where no order overflows (no_overflow), every order gives inf or "
        "NaN and never this (terms_not_finite)",
        [](const VerdictRow& r) { return name_of(r.verdict.reason); },
        {.words = names_through<Reason::terms_not_finite>(), .where = Where::both}),
    value("probability", k::kProbability, "Probability of an order that gives it, from all orders",
          [](const VerdictRow& r) { return r.verdict.probability; },
          {.null = "where orders were sampled", .where = Where::both}),
    value("seen", k::kCount, "Number of samples that gave it", [](const VerdictRow& r) { return r.verdict.seen; },
          {.null = "where all orders were enumerated, or results are counted in bins", .where = Where::both}),
    value("p", k::kProbability, "p-value of it and the other results outside the samples; 0 if impossible",
          [](const VerdictRow& r) { return r.verdict.p; }, {.null = "where it says nothing", .where = Where::both}),
    value("distance_ulp", k::kCount,
          "Floating-point numbers from it to the nearest reachable result, or to the range of the samples",
          [](const VerdictRow& r) { return r.verdict.distance_ulp; },
          {.null = "where it or those are not finite", .where = Where::both}),
    value("error_ulp", k::kNumber, kErrorUlpHelp, [](const VerdictRow& r) { return r.verdict.error_ulp; },
          {.null = "where one of them is not finite", .where = Where::both}),
};
constexpr TableOf<VerdictRow> kVerdictRow{{.key = "value_verdict",
                                           .title = "Value verdict",
                                           .help = "The verdict on one result.",
                                           .fields = kVerdictRowFields}};

constexpr Field kOutliersFields[] = {
    value<&Outliers::below>("below", k::kCount, "Number below all samples"),
    value<&Outliers::above>("above", k::kCount, "Number above all samples"),
    value<&Outliers::nonfinite>("nonfinite", k::kCount, "Number that are inf, -inf or NaN where no sample is"),
    value<&Outliers::p>("p", k::kProbability,
                        "Upper bound on the p-value of their number, on either side or of a kind"),
};
constexpr TableOf<Outliers> kOutliers{{.key = "outliers", .title = "Outliers", .fields = kOutliersFields}};

constexpr Field kMissesFields[] = {
    value("outliers", k::kCount,
          "Greatest number of given results outside the samples on one side that is still not called unlikely",
          [](const Sensitivity& s) { return s.outliers - 1; }),
    value<&Sensitivity::shift>("shift", k::kNumber,
                               "Approximate shift of all given results that the joint test detects in 95 % of cases, "
                               "in the unit of the sum",
                               {.null = "without a joint test"}),
};
constexpr TableOf<Sensitivity> kMisses{{.key = "misses", .title = "Misses", .fields = kMissesFields}};

constexpr Field kJointFields[] = {
    value<&JointVerdict::p>("p", k::kProbability, "Its p-value; 0 where a result is impossible"),
    value<&JointVerdict::test>("test", k::kText, "Name of the test"),
};
constexpr TableOf<JointVerdict> kJoint{{.key = "joint", .title = "Joint test", .fields = kJointFields}};

struct SuggestionRow {
  const Suggestion& one;
  Format format;
};
constexpr Kind kOption{Holds::text, {}, R"({"type": ["string", "null"]})"};
constexpr std::string_view kSuggestionKinds[] = {"format", "mean", "partial_sums", "term_missing", "term_twice"};
constexpr Field kSuggestionFields[] = {
    value("bits", k::kBits, kResultBitsHelp, [](const SuggestionRow& s) { return bits_text(s.format, s.one.bits); }),
    value("kind", k::kText, "What is different", [](const SuggestionRow& s) { return s.one.kind; },
          {.words = kSuggestionKinds}),
    value("what", k::kText, "The explanation in words", [](const SuggestionRow& s) { return s.one.what; }),
    value("option", kOption, "The option of `check` to give instead",
          [](const SuggestionRow& s) { return text_or_none(s.one.option); }, {.null = "without one"}),
    value("term", k::kCount, "Index, from 0, of the first term that would do",
          [](const SuggestionRow& s) { return s.one.term; }, {.null = "where none is meant"}),
    value("terms", k::kCount, "How many terms would do", [](const SuggestionRow& s) { return s.one.terms; },
          {.null = "where none is meant"}),
    value("by_chance", k::kFraction,
          "About as many explanations of this kind would be found for a result that has another cause",
          [](const SuggestionRow& s) { return s.one.by_chance; }),
};
constexpr TableOf<SuggestionRow> kSuggestion{
    {.key = "suggestion", .title = "Suggestion", .help = "Another explanation.", .fields = kSuggestionFields}};

constexpr std::string_view kCheckMethods[] = {"enumeration", "sampling"};
constexpr std::string_view kIfEnumerated = "where all were enumerated";
constexpr std::string_view kIfAllEnumerated = "where all orders were enumerated";

constexpr Field kCheckFields[] = {
    head<CheckFinding>(),
    command<CheckFinding>(R"("check")"),
    group("config", kCheckConfig),
    partial<&CheckFinding::partial>(),
    part<&CheckFinding::input>("input", kInput),
    judged_order<CheckFinding>(),
    part<&CheckFinding::warnings>("warnings", kTexts, kWarningsHelp, kOfWarnings),
    value("method", k::kText, "Whether all orders were enumerated, or orders were sampled",
          [](const CheckFinding& f) { return kCheckMethods[f.all ? 0 : 1]; }, {.words = kCheckMethods}),
    value("orders", k::kOrders, kOrdersHelp,
          [](const CheckFinding& f) -> std::optional<Value> {
            if (!f.all) return {};
            if (f.all->orders == 0) return Value();
            return Value(f.all->orders.str());
          },
          {.null = "where no addition can round and they were not counted", .absent = "where orders were sampled"}),
    value("samples", k::kSome, kDrawnHelp,
          [](const CheckFinding& f) { return f.all ? std::nullopt : std::optional(f.samples->samples()); },
          {.absent = kIfEnumerated}),
    value(
        "planned_samples", k::kSome,
        "Most samples that were to be drawn; fewer were where a first look settled the result, or the run was stopped",
        [](const CheckFinding& f) { return f.all ? std::nullopt : std::optional(f.planned); },
        {.absent = kIfEnumerated}),
    value("part", k::kProbability,
          "Part of 1 - confidence that this look at the samples may use: 0.5 where two looks were planned",
          [](const CheckFinding& f) { return f.all ? std::nullopt : std::optional(f.result.part); },
          {.absent = kIfEnumerated}),
    value("distinct", k::kCount, "Number of different results of the orders",
          [](const CheckFinding& f) -> std::optional<std::uint64_t> {
            if (f.all) return f.all->results.size();
            return f.samples->binned() ? std::nullopt : std::optional<std::uint64_t>(f.samples->distinct());
          },
          {.null = "where they are counted in bins"}),
    part("range", kSampleRange, "Least and greatest finite result of the samples",
         [](const CheckFinding& f) { return sample_range(f); }, {.absent = kIfAllEnumerated}),
    value("bound", k::kMagnitude, "Bound on the absolute error over every order, in the unit of the sum",
          [](const CheckFinding& f) -> std::optional<Value> {
            if (f.all) return {};
            if (!f.bound) return Value();
            return Value(*f.bound);
          },
          {.null = "where none is derived", .absent = kIfAllEnumerated}),
    part("other_arrivals", kArrivalSums,
         "Sums of arrival orders that are not uniform: launch order, its reverse, sorted ones, fitted models",
         [](const CheckFinding& f) { return arrival_sums(f); },
         {.null = "where they were not needed", .absent = kIfAllEnumerated}),
    value<&CheckFinding::rounded>("rounded_values", k::kCount, kRoundedHelp),
    part("values", kVerdictRow, "The verdict on each different result that was given, ascending by value, NaN last",
         [](const CheckFinding& f) { return verdict_rows(f); }, {.list_rule = R"({"minItems": 1})"}),
    part("outliers", kOutliers, "Number of given results outside the range of all samples",
         [](const CheckFinding& f) -> const auto& { return f.result.outliers; }, {.null = kIfAllEnumerated}),
    part("misses", kMisses, "What a check by samples that explains everything could have missed",
         [](const CheckFinding& f) -> const auto& { return f.result.misses; }, {.null = kIfAllEnumerated}),
    part("joint", kJoint, "Joint test of the frequencies of all given results",
         [](const CheckFinding& f) -> const auto& { return f.result.joint; },
         {.null = "for a single result, and where it was not made"}),
    value("frequencies_decide", k::kTruth, "Whether the joint test may reject: only where the arrivals are named",
          [](const CheckFinding& f) { return f.result.frequencies_decide; }),
    part("suggestions", kSuggestion, "What else would explain the first result that is not explained, cheapest first",
         [](const CheckFinding& f) {
           std::vector<SuggestionRow> rows;
           for (const Suggestion& one : f.suggestions) rows.push_back({one, f.input.formats.result});
           return rows;
         }),
    value("p", k::kProbability, "p-value of the whole answer: below 1 - confidence it is rejected",
          [](const CheckFinding& f) {
            return f.result.verdict() == Verdict::none ? std::nullopt : std::optional(f.result.p());
          },
          {.null = "without a verdict"}),
    value(
        "verdict", k::kText,
        "The verdict on all results together: the worst of them, or unlikely where the joint test rejects; none where "
        "an interruption left it open",
        [](const CheckFinding& f) { return name_of(f.result.verdict()); }, {.words = kVerdictWords}),
};

}  // namespace

constexpr TableOf<CheckFinding> kCheckDocument{
    {.key = "check",
     .title = "Check",
     .help = "Written by `orderlab check --json`: are these results explained by order?",
     .fields = kCheckFields,
     .rules = R"({"if": {"properties": {"method": {"const": "sampling"}}},
                  "then": {"required": ["samples", "range", "bound", "other_arrivals"], "not": {"required": ["orders"]}},
                  "else": {"required": ["orders"],
                           "not": {"anyOf": [{"required": ["samples"]}, {"required": ["range"]},
                                             {"required": ["bound"]}, {"required": ["other_arrivals"]}]}}})"}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const study::CheckFinding& finding) {
  return csv_table(described::kVerdictRow, described::verdict_rows(finding));
}

std::string to_json(const study::CheckFinding& finding) {
  return json_document(to_json(described::kCheckDocument, finding));
}

}  // namespace orderlab
