#include "show/shared_fields.hpp"

#include "orderlab/metrics.hpp"
#include "orderlab/philox.hpp"
#include "show/input_json.hpp"

namespace orderlab::described {

namespace {

using study::AskedOrder;
using study::InputFacts;
namespace k = kinds;

constexpr Kind kVersion{Holds::text, R"({"$ref": "shared.json#/$defs/orderlab"})", {}};
constexpr Kind kVersionOfBits{Holds::count, R"({"$ref": "shared.json#/$defs/bits_version"})", {}};

constexpr Field kHeadFields[] = {
    value("orderlab", kVersion, "Version of orderlab that wrote the document",
          [](const Head&) { return std::string(ORDERLAB_VERSION); }),
    value("bits_version", kVersionOfBits,
          "Version of everything that is drawn. Documents of equal version and equal config have equal numbers",
          [](const Head&) { return kBitsVersion; }),
};

constexpr Field kTermsConfigFields[] = {
    value<&InputFacts::n>("n", k::kSome, "Number of terms"),
    value("dist", k::kText, "Distribution of generated terms",
          [](const InputFacts& i) { return text_or_none(i.distribution); }, {.absent = "for given terms"}),
    value("input_seed", k::kCount, "Seed of generated terms",
          [](const InputFacts& i) { return i.distribution.empty() ? std::nullopt : std::optional(i.input_seed); },
          {.absent = "for given terms"}),
    value("input", k::kHash, "Hash of given terms, in their format",
          [](const InputFacts& i) { return i.distribution.empty() ? std::optional(i.hash) : std::nullopt; },
          {.absent = "for generated terms"}),
    value("format", k::kFormats, kFormatsHelp, [](const InputFacts& i) { return to_string(i.formats); }),
};

constexpr Field kOrderConfigFields[] = {
    value<&AskedOrder::expression>("order", k::kText, "Expression of the order"),
    value("arrival", k::kText, "Arrival model of the first `arrive` of the order",
          [](const AskedOrder& a) { return text_or_none(a.arrival); }, {.null = "for an order without one"}),
};

constexpr Field kJudgedOrderFields[] = {
    value("name", k::kText, kOrderNameHelp, [](const JudgedOrder& o) { return text_or_none(o.name); },
          {.null = "for an expression"}),
    value<&JudgedOrder::expression>("expression", k::kText, kExpressionHelp),
    value<&JudgedOrder::guarantee>("guarantee", k::kGuarantee, kGuaranteeHelp),
};

constexpr Field kHeightRangeFields[] = {
    value<&HeightRange::min>("min", k::kCount, "Least height", {.null = "where it is not known"}),
    value<&HeightRange::max>("max", k::kCount, "Greatest height", {.null = "where it is not known"}),
};
constexpr TableOf<HeightRange> kHeightRange{
    {.key = "height_range",
     .title = "Height range",
     .help = "Additions on the longest path from a term to the sum, over the orders that were looked at.",
     .fields = kHeightRangeFields,
     .shared = true}};

constexpr Field kMeasuredOrderFields[] = {
    merged([](const MeasuredOrder& o) -> const JudgedOrder& { return o; }, kJudgedOrder),
    part<&MeasuredOrder::height>("height", kHeightRange),
};

constexpr Field kExactFields[] = {
    value("bits", k::kBits, "The exact sum rounded to the result format",
          [](const InputFacts& i) { return bits_text(i.formats.result, i.exact.round_to(i.formats.result)); }),
    value("value", k::kNumber, "The exact sum rounded to fp64",
          [](const InputFacts& i) { return i.exact.to_double(); }),
    value("decimal", k::kText, "The exact sum with up to 40 significant digits, or inf, -inf or nan",
          [](const InputFacts& i) { return i.exact.decimal(kExactDigits); }),
};
constexpr TableOf<InputFacts> kExact{{.key = "exact",
                                      .title = "Exact sum",
                                      .help = "The exact sum of the terms after they were rounded to their format.",
                                      .fields = kExactFields,
                                      .shared = true}};

constexpr Field kInputFields[] = {
    value<&InputFacts::n>("n", k::kSome, "Number of terms"),
    value("format", k::kFormat, "Format of the terms",
          [](const InputFacts& i) { return std::string(info(i.formats.terms).name); }),
    value<&InputFacts::products>("products", k::kTruth,
                                 "Whether the terms are products of two numbers each: a dot product"),
    value<&InputFacts::inexact_conversions>(
        "inexact_conversions", k::kCount, "Number of terms that their format does not hold, which were rounded to it"),
    value<&InputFacts::overflowed_terms>(
        "overflowed_terms", k::kCount,
        "Number of generated terms that are inf because the format has no finite number so large"),
    value<&InputFacts::hash>("hash", k::kHash, "Hash of the terms as they are added, little endian"),
    group("exact", kExact),
    value("sum_abs", k::kMagnitude, "Sum of the absolute values of the terms, rounded to fp64",
          [](const InputFacts& i) { return i.sum_abs.to_double(); }),
    value("condition", k::kMagnitude,
          "Condition number sum|x| / |sum x|; inf for an exact sum of 0, nan where a term is inf or NaN",
          [](const InputFacts& i) { return condition_number(i.exact, i.sum_abs); }),
};

constexpr Field kText[] = {itself<std::string>(k::kText)};

}  // namespace

MeasuredOrder measured_order(const study::SampledOrder& order) {
  const auto heights = order.counts.heights();
  return {{order.name, order.expression, order.guarantee},
          heights ? HeightRange{heights->min, heights->max} : HeightRange{}};
}

MeasuredOrder measured_order(const study::EnumeratedOrder& order) {
  return {{order.name, order.asked.expression, order.guarantee}, {order.height, order.height}};
}

constexpr TableOf<Head> kHead{{.key = "head", .title = "Head", .help = "Versions.", .fields = kHeadFields}};

constexpr TableOf<JudgedOrder> kJudgedOrder{{.key = "judged_order",
                                             .title = "Judged order",
                                             .help = kOrderSentence,
                                             .fields = kJudgedOrderFields,
                                             .shared = true}};

constexpr TableOf<MeasuredOrder> kMeasuredOrder{
    {.key = "order", .title = "Order", .help = kOrderSentence, .fields = kMeasuredOrderFields, .shared = true}};

constexpr TableOf<InputFacts> kInput{
    {.key = "input", .title = "Input", .help = "The terms that are added.", .fields = kInputFields, .shared = true}};

constexpr TableOf<InputFacts> kTermsConfig{
    {.key = "terms_config",
     .title = "Terms",
     .help = "Which terms.",
     .fields = kTermsConfigFields,
     .rules = R"({"oneOf": [{"required": ["dist", "input_seed"]}, {"required": ["input"]}]})"}};

constexpr TableOf<AskedOrder> kOrderConfig{
    {.key = "order_config", .title = "Order", .help = "Which order.", .fields = kOrderConfigFields}};

constexpr TableOf<std::string> kTexts{{.key = "text", .title = "Text", .help = "A text.", .fields = kText}};

}  // namespace orderlab::described
