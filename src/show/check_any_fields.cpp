#include "show/check_any_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_names.hpp"
#include "show/check_any.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/given_fields.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/check_options.hpp"

namespace orderlab::described {

namespace {

using study::AnyValue;
using study::CheckAnyFinding;
using study::OrderCandidate;
namespace k = kinds;

constexpr Kind kNoArrival{Holds::text, {}, R"({"type": "null"})"};

constexpr Field kCheckAnyConfigFields[] = {
    merged<&CheckAnyFinding::input>(kTermsConfig),
    constant<CheckAnyFinding>("order", k::kText, "Any: all orders that are known", R"("any")"),
    value("arrival", kNoArrival, "Arrival model", [](const CheckAnyFinding&) { return Value(); },
          {.null = ": each order has its own"}),
    value<&CheckAnyFinding::seed>(study::kSeed, k::kCount),
    value<&CheckAnyFinding::confidence>(
        "confidence", k::kProbability,
        "Probability of not flagging legitimate results of a random order, however many are given"),
    value<&CheckAnyFinding::samples_asked>("samples", k::kCount,
                                           "Number of samples to draw of a random order that cannot be enumerated",
                                           {.null = ": chosen from confidence, number of results and n"}),
    value<&CheckAnyFinding::memory_bytes>(study::kQuickMemory, k::kCount),
    part("values", kGivenRow,
         "The results that were given, ascending by value, NaN last: bits, and how often they were given",
         [](const CheckAnyFinding& f) {
           std::vector<GivenRow> given;
           for (const AnyValue& v : f.values)
             given.push_back({f.input.formats.result, v.given.bits, v.given.count, v.given.digits});
           return given;
         },
         {.list_rule = R"({"minItems": 1})"}),
    value("means", k::kFormat, kMeansHelp,
          [](const CheckAnyFinding& f) { return f.means ? std::optional(info(*f.means).name) : std::nullopt; },
          {.absent = "where sums were given"}),
    value(study::kOrderDevice, k::kText, [](const CheckAnyFinding& f) { return name_of(f.device); }),
};
constexpr TableOf<CheckAnyFinding> kCheckAnyConfig{
    {.key = "config", .title = "Order check config", .help = kConfigSentence, .fields = kCheckAnyConfigFields}};

constexpr Field kFixedOrdersFields[] = {
    value<&CheckAnyFinding::fixed_tried>("tried", k::kCount, "Their number; no two of them add the same tree"),
    value<&CheckAnyFinding::fixed_sums>("sums", k::kCount, "Number of their different sums"),
};
constexpr TableOf<CheckAnyFinding> kFixedOrders{
    {.key = "fixed", .title = "Fixed orders", .fields = kFixedOrdersFields}};

constexpr Field kWiderFields[] = {itself<std::string>(k::kFormats)};
constexpr TableOf<std::string> kWiderFormats{{.key = "wider", .fields = kWiderFields}};

/// A result, what is found of it, and the orders that give it.
struct AnyValueRow {
  const AnyValue& value;
  Format format;
  std::vector<std::string> orders;
};
std::vector<AnyValueRow> any_value_rows(const CheckAnyFinding& finding) {
  std::vector<AnyValueRow> rows;
  for (const AnyValue& one : finding.values) rows.push_back({one, finding.input.formats.result, {}});
  for (const OrderCandidate& candidate : finding.candidates)
    for (const std::size_t i : candidate.gives) rows[i].orders.push_back(candidate.text);
  return rows;
}

constexpr std::span<const std::string_view> kAnyVerdictWords = names_through<study::AnyVerdict::impossible>();

constexpr Field kAnyValueFields[] = {
    value("bits", k::kBits, kResultBitsHelp,
          [](const AnyValueRow& r) { return bits_text(r.format, r.value.given.bits); }),
    value("given", k::kSome, "How often it was given", [](const AnyValueRow& r) { return r.value.given.count; }),
    value("digits", k::kCount, "Significant digits of a decimal with fewer than the format needs",
          [](const AnyValueRow& r) {
            return r.value.given.digits == 0 ? std::nullopt : std::optional(r.value.given.digits);
          },
          {.null = "for other results"}),
    value("numbers", k::kCount,
          "Numbers of the result format that it may be: one, those that print so, or sums that have this mean",
          [](const AnyValueRow& r) { return r.value.given.read_widely(r.format).size(); }),
    value(
        "verdict", k::kText,
        "Explained: every order gives it, or an order that was tried does and hardly any would by chance. Consistent: "
        "orders that were tried give it, as some would by chance. Impossible: no order of these terms gives it. None: "
        "interrupted",
        [](const AnyValueRow& r) { return name_of(r.value.verdict); }, {.words = kAnyVerdictWords}),
    value("fixed", k::kCount, "Number of fixed orders that give it, in the formats of the input",
          [](const AnyValueRow& r) { return r.value.fixed; }),
    value("wider", k::kCount,
          "Number of fixed orders that give it with wider partial sums; 0 where these were not tried",
          [](const AnyValueRow& r) { return r.value.wider; }),
    value("random", k::kCount, "Number of random orders that can give it",
          [](const AnyValueRow& r) { return r.value.random; }),
    value("narrower", k::kCount,
          "Number of fixed orders that give it with narrower accumulators or rounded partial sums; 0 where these were "
          "not tried",
          [](const AnyValueRow& r) { return r.value.narrower; }),
    value("narrower_chance", k::kProbability,
          "Estimate of the probability that one of these gives such a result by chance, rather too large",
          [](const AnyValueRow& r) { return r.value.narrower_chance; }, {.null = "where none was tried"}),
    value("tried", k::kCount, "Number of fixed orders that were tried, in all formats together",
          [](const AnyValueRow& r) { return r.value.tried; }),
    value("by_chance", k::kNumber,
          "How many of these are expected to give such a result by chance if an order that was not tried made it, from "
          "where the sums of the others lie",
          [](const AnyValueRow& r) { return r.value.by_chance; }, {.null = "where none was tried"}),
    value("chance", k::kProbability,
          "Estimate of the probability that some order gives such a result by chance, rather too large",
          [](const AnyValueRow& r) { return r.value.chance; }, {.null = "where none was tried"}),
    part<&AnyValueRow::orders>("orders", kTexts, "The orders that give it, as `candidates` names them, the best first"),
};
constexpr TableOf<AnyValueRow> kAnyValue{{.key = "value",
                                          .title = "Order check value",
                                          .help = "A result, and what is found of it.",
                                          .fields = kAnyValueFields}};

constexpr Kind kBitsOrNull{Holds::text, {}, R"({"anyOf": [{"$ref": "shared.json#/$defs/bits"}, {"type": "null"}]})"};
constexpr std::string_view kCandidateKinds[] = {"fixed", "random"};
constexpr std::string_view kCandidateVerdicts[] = {name_of(Verdict::explained), name_of(Verdict::unlikely),
                                                   name_of(Verdict::impossible)};
constexpr More kCandidateInBoth{.where = Where::both};
constexpr More kNullOfRandom{.null = "for a random order", .where = Where::both};

constexpr Field kCandidateFields[] = {
    value<&OrderCandidate::text>("order", k::kText, "The order as --order takes it, with its name where it has one",
                                 kCandidateInBoth),
    value<&OrderCandidate::expression>("expression", k::kText, kExpressionHelp, kCandidateInBoth),
    value(
        "format", k::kFormats, "Formats in which it was tried: those of the input, or with another accumulator",
        [](const OrderCandidate& c) { return to_string(c.formats); }, kCandidateInBoth),
    value("kind", k::kText, "Whether it has one sum or draws",
          [](const OrderCandidate& c) { return kCandidateKinds[c.random ? 1 : 0]; },
          {.words = kCandidateKinds, .where = Where::both}),
    value("verdict", k::kText,
          "On all results together. Of a fixed order: explained where all of them are its sum in every bit, else "
          "impossible. Of a random order, that of `check`",
          [](const OrderCandidate& c) { return name_of(c.verdict); },
          {.words = kCandidateVerdicts, .where = Where::both}),
    value<&OrderCandidate::explained>(
        "explained", k::kCount, "Number of results that it explains, repeated ones each counted", kCandidateInBoth),
    value(
        "bits", kBitsOrNull, "Bit pattern of its sum",
        [](const OrderCandidate& c) {
          return c.bits ? std::optional(bits_text(c.formats.result, *c.bits)) : std::nullopt;
        },
        kNullOfRandom),
    value(
        "value", k::kNumber, "Its sum",
        [](const OrderCandidate& c) { return c.bits ? std::optional(c.value()) : std::nullopt; }, kNullOfRandom),
    value<&OrderCandidate::distance_ulp>(
        "distance_ulp", k::kCount, "Floating-point numbers from its sum to the nearest given result",
        {.null = "for a random order, and where its sum or all results are not finite", .where = Where::both}),
    value("orders", k::kOrders, "Number of orders of a random one, as decimal text",
          [](const OrderCandidate& c) { return text_or_none(c.orders); },
          {.null = "unless all were enumerated", .where = Where::both}),
    value<&OrderCandidate::samples>("samples", k::kCount, "Number of samples of a random order",
                                    {.null = "for others, and where all orders were enumerated", .where = Where::both}),
    value<&OrderCandidate::distinct>("distinct", k::kCount, "Number of different results of a random order",
                                     {.null = "for others, and where they are counted in bins", .where = Where::both}),
    value<&OrderCandidate::p>("p", k::kProbability, "p-value of the answer about a random order",
                              {.null = "for others", .where = Where::both}),
    value(
        "also", k::kText,
        "Other names of a fixed order: they add these terms by the same tree; separated by semicolons",
        [](const OrderCandidate& c) { return fmt::format("{}", fmt::join(c.also, "; ")); }, kCandidateInBoth),
};
constexpr TableOf<OrderCandidate> kCandidate{
    {.key = "candidate", .title = "Candidate", .help = "An order that was tried.", .fields = kCandidateFields}};

constexpr Field kNarrowerOrdersFields[] = {
    value<&CheckAnyFinding::narrower_tried>("tried", k::kCount, "Their number; 0 where every result has an order"),
    part<&CheckAnyFinding::narrower>("orders", kCandidate,
                                     "Those that give some result, the first of either kind that give the most"),
};
constexpr TableOf<CheckAnyFinding> kNarrowerOrders{
    {.key = "narrower", .title = "Narrower orders", .fields = kNarrowerOrdersFields}};

constexpr Field kCheckAnyFields[] = {
    head<CheckAnyFinding>(),
    command<CheckAnyFinding>(R"("check")"),
    group("config", kCheckAnyConfig),
    partial<&CheckAnyFinding::partial>(),
    part<&CheckAnyFinding::input>("input", kInput),
    value<&CheckAnyFinding::rounded>("rounded_values", k::kCount, kRoundedHelp),
    group("fixed", kFixedOrders, "The fixed orders that were tried in the formats of the input"),
    part("wider", kWiderFormats,
         "Formats with wider partial sums, in which the fixed orders were tried because none of them gives some result "
         "in those of the input",
         [](const CheckAnyFinding& f) {
           std::vector<std::string> wider;
           for (const Formats& formats : f.wider) wider.push_back(to_string(formats));
           return wider;
         }),
    group("narrower", kNarrowerOrders,
          "Fixed orders with narrower accumulators than those of the input, or with rounded partial sums, for results "
          "that no other order gives"),
    part<&CheckAnyFinding::not_sampled>("not_sampled", kTexts,
                                        "Names of random orders that were left out, as sampling them takes long"),
    value("exact", k::kCount,
          "How many of the given results are the exact sum, correctly rounded; repeated ones each counted",
          [](const CheckAnyFinding& f) { return f.exact(); }),
    value<&CheckAnyFinding::one_result>("one_result", k::kTruth,
                                        "Whether every order gives the exact sum, as none rounds a partial sum"),
    part("values", kAnyValue, "The results that were given, ascending by value, NaN last, and what is found of each",
         [](const CheckAnyFinding& f) { return any_value_rows(f); }, {.list_rule = R"({"minItems": 1})"}),
    part<&CheckAnyFinding::candidates>(
        "candidates", kCandidate,
        "The orders, the best first: those that explain all results, those that explain some, the fixed orders whose "
        "sums are nearest, random orders that explain none",
        {.list_rule = R"({"minItems": 1})"}),
    value("explained_by_one", k::kTruth, "Whether one of the orders explains all results",
          [](const CheckAnyFinding& f) { return f.explained(); }),
    value("verdict", k::kText, "The worst of the verdicts of `values`",
          [](const CheckAnyFinding& f) { return name_of(f.verdict()); }, {.words = kAnyVerdictWords}),
};

}  // namespace

constexpr TableOf<CheckAnyFinding> kCheckAnyDocument{
    {.key = "check_any",
     .title = "Order check",
     .help = "Written by `orderlab check --order any --json`: which orders explain these results?",
     .fields = kCheckAnyFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const study::CheckAnyFinding& finding) {
  return csv_table(described::kCandidate, finding.candidates);
}

std::string to_json(const study::CheckAnyFinding& finding) {
  return json_document(to_json(described::kCheckAnyDocument, finding));
}

}  // namespace orderlab
