#include "show/worst_fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "show/tree.hpp"
#include "show/worst.hpp"
#include "study/worst_options.hpp"

namespace orderlab::described {

namespace {

using study::WorstFinding;
namespace k = kinds;

std::string order_words(const study::WorstEnd& end) {
  if (end.tree) return tree_expression(*end.tree);
  std::string words;
  for (const std::uint32_t i : end.order) words += (words.empty() ? "" : " ") + std::to_string(i);
  return words;
}

constexpr Field kPosition[] = {itself<std::uint32_t>(k::kCount)};
constexpr TableOf<std::uint32_t> kPositions{
    {.key = "position", .title = "Position", .help = "A position.", .fields = kPosition}};

constexpr Field kWorstRowFields[] = {
    value("end", k::kText, "Which extreme", [](const WorstRow& r) { return r.name; }, {.where = Where::csv}),
    value("bits", k::kBits, kResultBitsHelp,
          [](const WorstRow& r) { return bits_text(r.input.formats.result, r.end.bits); },
          {.where = Where::both, .cell = {"bits"}}),
    value("value", k::kNumber, "The result", [](const WorstRow& r) { return r.end.value; },
          {.where = Where::both, .cell = {"result", 17}}),
    value("error", k::kNumber, "Result minus exact sum",
          [](const WorstRow& r) { return worst_error(r.input, r.end.value); },
          {.null = "where one of them is NaN",
           .where = Where::text,
           .cell = {.title = "error", .digits = 4, .scaled = true, .needs_unit = true}}),
    value("error_ulp", k::kNumber, kErrorUlpHelp,
          [](const WorstRow& r) { return worst_error_ulp(r.input, r.end.value); },
          {.null = "where one of them is NaN", .where = Where::both}),
    value("error_relative", k::kNumber, "Result minus exact sum, as part of |exact sum|",
          [](const WorstRow& r) { return worst_error_relative(r.input, r.end.value); },
          {.null = "also for an exact sum of 0", .cell = {.title = "relative", .digits = 2, .dispensable = true}}),
    value("running_bound", k::kMagnitude, "D1 of this very order, in the unit of the sum",
          [](const WorstRow& r) { return r.end.running_bound; },
          {.null = "where none is derived",
           .where = Where::both,
           .cell = {.title = "D1", .digits = 3, .scaled = true, .dispensable = true}}),
    value("share_of_bound", k::kMagnitude, "|error| / running_bound",
          [](const WorstRow& r) { return share_of_bound(r.input, r.end); },
          {.null = "where there is no bound, or it is 0 or infinite", .cell = {"error/D1", 2}}),
    value("order", k::kText, "The order in words", [](const WorstRow& r) { return order_words(r.end); },
          {.where = Where::csv}),
    part("order", kPositions, "Position k holds partial sum number order[k]",
         [](const WorstRow& r) -> const std::vector<std::uint32_t>& { return r.end.order; }, {.absent = "for a tree"}),
    value("tree", k::kText, "The summation tree over the partial sums x0, x1, ... as an expression",
          [](const WorstRow& r) { return r.end.tree ? std::optional(tree_expression(*r.end.tree)) : std::nullopt; },
          {.absent = "for a sequence"}),
};

constexpr Field kWorstConfigFields[] = {
    merged<&WorstFinding::input>(kTermsConfig),
    merged<&WorstFinding::asked>(kOrderConfig),
    value<&WorstFinding::seed>(study::kSeed, k::kCount),
    value<&WorstFinding::memory_bytes>(study::kQuickMemory, k::kCount),
    value(study::kSearchEvaluations, k::kCount,
          [](const WorstFinding& f) -> std::optional<Value> {
            if (f.seconds > 0) return {};
            if (f.exact) return Value();
            return Value(f.evaluations_asked);
          },
          {.null = "where all orders were covered", .absent = "for a search of given time"}),
    value(study::kSearchSeconds, k::kPositive,
          [](const WorstFinding& f) { return f.seconds > 0 ? std::optional(f.seconds) : std::nullopt; },
          {.absent = "for a search of given evaluations"}),
};
constexpr TableOf<WorstFinding> kWorstConfig{
    {.key = "config",
     .title = "Worst config",
     .help = kConfigSentence,
     .fields = kWorstConfigFields,
     .rules = R"({"oneOf": [{"required": ["evaluations"]}, {"required": ["seconds"]}]})"}};

constexpr Field kSearchedOrderFields[] = {
    value("name", k::kText, kOrderNameHelp, [](const WorstFinding& f) { return text_or_none(f.name); },
          {.null = "for an expression"}),
    value("expression", k::kText, kExpressionHelp, [](const WorstFinding& f) { return f.asked.expression; }),
    value<&WorstFinding::searched>("searched", k::kText, "The order whose permutations were searched"),
};
constexpr TableOf<WorstFinding> kSearchedOrder{
    {.key = "order", .title = "Searched order", .help = kOrderSentence, .fields = kSearchedOrderFields}};

template <auto extreme>
std::optional<double> sampled_error(const WorstFinding& finding) {
  const auto seen = finding.sampled.extremes();
  return seen ? worst_error_ulp(finding.input, (*seen).*extreme) : std::nullopt;
}
constexpr More kWhereNoneIsFinite{.null = "where no result is finite"};
constexpr Field kSampledErrorFields[] = {
    value(
        "min", k::kNumber, "Least",
        [](const WorstFinding& f) { return sampled_error<&ResultCounts::Range<double>::min>(f); }, kWhereNoneIsFinite),
    value(
        "max", k::kNumber, "Greatest",
        [](const WorstFinding& f) { return sampled_error<&ResultCounts::Range<double>::max>(f); }, kWhereNoneIsFinite),
};
constexpr TableOf<WorstFinding> kSampledErrors{{.key = "errors",
                                                .title = "Worst sample errors",
                                                .help = "Errors of these samples in ulps of the exact sum.",
                                                .fields = kSampledErrorFields}};

constexpr Field kSampledFields[] = {
    value("samples", k::kCount, kDrawnHelp, [](const WorstFinding& f) { return f.sampled.samples(); }),
    group("error_ulp", kSampledErrors),
    value("times_as_far", k::kMagnitude,
          "Distance of the farther extreme from the exact sum, divided by that of the farthest sample",
          [](const WorstFinding& f) { return times_as_far(f); }, {.null = "where that says nothing"}),
};
constexpr TableOf<WorstFinding> kSampled{{.key = "sampled",
                                          .title = "Worst sample",
                                          .help = "Orders drawn as the order draws them, to compare with.",
                                          .fields = kSampledFields}};

constexpr std::string_view kWorstMethods[] = {"enumeration", "search"};

constexpr Field kWorstFields[] = {
    head<WorstFinding>(),
    command<WorstFinding>(R"("worst")"),
    group("config", kWorstConfig),
    part<&WorstFinding::input>("input", kInput),
    group("order", kSearchedOrder),
    value("partial_sums", k::kSome, kPartialSumsHelp, [](const WorstFinding& f) { return f.partial_sums.size(); }),
    value("method", k::kText, "Whether the ends are the extremes of all orders, or what a search found",
          [](const WorstFinding& f) { return kWorstMethods[f.exact ? 0 : 1]; }, {.words = kWorstMethods}),
    value("evaluations", k::kCount, "Number of sums that the search evaluated",
          [](const WorstFinding& f) { return f.exact ? std::nullopt : std::optional(f.evaluations); },
          {.null = "where all orders were covered"}),
    value<&WorstFinding::reproducible>("reproducible", k::kTruth,
                                       "Whether another run gives the same document: not for a search of given time"),
    part("least", kWorstRow, "The least result",
         [](const WorstFinding& f) {
           return WorstRow{"least", f.input, f.least};
         }),
    part("greatest", kWorstRow, "The greatest result",
         [](const WorstFinding& f) {
           return WorstRow{"greatest", f.input, f.greatest};
         }),
    group("sampled", kSampled),
    partial<&WorstFinding::partial>(),
};

}  // namespace

constexpr TableOf<WorstRow> kWorstRow{{.key = "extreme",
                                       .title = "Extreme",
                                       .help = "One extreme result and an order that gives it.",
                                       .fields = kWorstRowFields,
                                       .rules = R"({"oneOf": [{"required": ["order"]}, {"required": ["tree"]}]})"}};

constexpr TableOf<WorstFinding> kWorstDocument{
    {.key = "worst",
     .title = "Worst",
     .help = "Written by `orderlab worst --json`: the orders whose sums lie farthest apart.",
     .fields = kWorstFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const study::WorstFinding& finding) {
  using described::WorstRow;
  return csv_table(described::kWorstRow, std::vector{WorstRow{"least", finding.input, finding.least},
                                                     WorstRow{"greatest", finding.input, finding.greatest}});
}

std::string to_json(const study::WorstFinding& finding) {
  return json_document(to_json(described::kWorstDocument, finding));
}

}  // namespace orderlab
