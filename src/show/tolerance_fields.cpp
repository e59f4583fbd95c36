#include "show/tolerance_fields.hpp"

#include <optional>
#include <string>
#include <vector>

#include "core/enum_names.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "show/tolerance.hpp"
#include "show/tolerance_lines.hpp"
#include "show/tolerance_words.hpp"
#include "study/tolerance_options.hpp"

namespace orderlab::described {

namespace {

using study::ToleranceFinding;
using study::UsualOrder;
namespace k = kinds;

std::string compared_with(const ToleranceFinding& finding) {
  return finding.other ? finding.other->asked.expression : std::string(name_of(finding.against));
}

constexpr Field kToleranceConfigFields[] = {
    merged<&ToleranceFinding::input>(kTermsConfig),
    merged<&ToleranceFinding::asked>(kOrderConfig),
    value<&ToleranceFinding::seed>(study::kSeed, k::kCount),
    value<&ToleranceFinding::coverage>(study::kCoverage, k::kProbability),
    value<&ToleranceFinding::confidence>(study::kConfidenceOfCoverage, k::kProbability),
    value(study::kAgainst, k::kText, [](const ToleranceFinding& f) { return compared_with(f); }),
    value(study::kAgainstFormat, k::kText,
          [](const ToleranceFinding& f) {
            return f.other ? std::optional(added_formats(f.other->formats)) : std::nullopt;
          },
          {.absent = "where results are not compared with an order"}),
    value<&ToleranceFinding::samples_asked>(study::kToleranceSamples, k::kCount,
                                            {.null = ": all if few, else as many as needed"}),
    value<&ToleranceFinding::inputs>("inputs", k::kSome, "Number of inputs, each with one draw; 1: one input"),
    value<&ToleranceFinding::outputs>(study::kComparedOutputs, k::kSome),
    value<&ToleranceFinding::memory_bytes>(study::kQuickMemory, k::kCount),
    value("order_assumed", k::kTruth, "Random permutations, because no order was given",
          [](const ToleranceFinding& f) { return f.order_assumed ? std::optional(true) : std::nullopt; },
          {.absent = "where an order was given", .constant = "true"}),
};
constexpr TableOf<ToleranceFinding> kToleranceConfig{
    {.key = "config", .title = "Tolerance config", .help = kConfigSentence, .fields = kToleranceConfigFields}};

/// A tolerance by one measure, or why there is none.
struct ToleranceLimit {
  const ToleranceFinding& finding;
  double value;
  std::string why_not;
};
constexpr Field kToleranceLimitFields[] = {
    value("value", k::kFinite, "The tolerance",
          [](const ToleranceLimit& l) { return l.why_not.empty() ? std::optional(l.value) : std::nullopt; },
          {.null = "where there is none"}),
    value("reason", k::kText, "Why there is none", [](const ToleranceLimit& l) { return text_or_none(l.why_not); },
          {.absent = "where there is one"}),
    value("coverage", k::kProbability, kReachedHelp, [](const ToleranceLimit& l) { return l.finding.reached; }),
    value("confidence", k::kProbability, "Probability that the coverage holds; 1 for a limit that is certain",
          [](const ToleranceLimit& l) { return stated_confidence(l.finding); }),
    value("method", k::kText, "How the limit was found, in words",
          [](const ToleranceLimit& l) { return method_in_words(l.finding); }),
};
constexpr TableOf<ToleranceLimit> kToleranceLimit{
    {.key = "tolerance_limit",
     .title = "Tolerance limit",
     .help = "A tolerance by one measure.",
     .fields = kToleranceLimitFields,
     .rules = R"({"if": {"properties": {"value": {"type": "null"}}}, "then": {"required": ["reason"]},
                  "else": {"not": {"required": ["reason"]}}})"}};

constexpr Field kToleranceLimitsFields[] = {
    part("rtol", kToleranceLimit, "Relative to the reference",
         [](const ToleranceFinding& f) {
           return ToleranceLimit{f, f.limit.relative, why_no_rtol(f)};
         }),
    part("atol", kToleranceLimit, "Absolute, in the unit of the sum",
         [](const ToleranceFinding& f) {
           return ToleranceLimit{f, f.limit.absolute, has_limit(f) ? "" : "no finite tolerance"};
         }),
    part("ulp", kToleranceLimit, "In ulps of the exact sum",
         [](const ToleranceFinding& f) {
           return ToleranceLimit{f, f.limit.ulp, why_no_ulp(f)};
         }),
};
constexpr TableOf<ToleranceFinding> kToleranceLimits{{.key = "limits",
                                                      .title = "Tolerances",
                                                      .help = "The tolerance by three measures.",
                                                      .fields = kToleranceLimitsFields}};

constexpr Field kObservedDeviationFields[] = {
    value<&ToleranceFinding::rms>(
        "rms", k::kMagnitude, "Root mean square, each difference from the farthest of the exact sum and its roundings",
        {.null = "where it is not known"}),
    value("largest", k::kMagnitude, "Largest of the same",
          [](const ToleranceFinding& f) { return f.largest.absolute; }),
    value<&ToleranceFinding::rms_from_exact>(
        "rms_from_exact", k::kMagnitude,
        "Root mean square of the differences from the exact sum alone, or between results",
        {.null = "where it is not known"}),
    value<&ToleranceFinding::largest_from_exact>("largest_from_exact", k::kMagnitude, "Largest of the same"),
    value<&ToleranceFinding::mean_largest>("mean_largest", k::kMagnitude,
                                           "Mean over comparisons of the largest difference of their outputs",
                                           {.absent = "for one output"}),
    value<&ToleranceFinding::nonfinite>(
        "nonfinite", k::kFraction,
        "Fraction of draws with inf or NaN; where all orders were enumerated, their probability"),
};
constexpr TableOf<ToleranceFinding> kObservedDeviations{
    {.key = "observed",
     .title = "Observed deviations",
     .help = "The absolute differences that were drawn, in the unit of the sum.",
     .fields = kObservedDeviationFields}};

/// A bound beside the limit.
struct Beside {
  const study::BesideBound& bound;
  std::optional<double> ratio;
};

std::vector<Beside> bounds_beside(const ToleranceFinding& finding) {
  std::vector<Beside> all;
  for (const study::BesideBound& bound : finding.bounds) {
    const bool comparable = bound.value && has_limit(finding) && finding.limit.absolute > 0;
    all.push_back({bound, comparable ? std::optional(*bound.value / finding.limit.absolute) : std::nullopt});
  }
  return all;
}

constexpr std::string_view kBoundNames[] = {"D1", "D2", "D3", "P1", "P3", "gamma_n"};
constexpr Field kToleranceBoundFields[] = {
    value("name", k::kText, "Name of the bound", [](const Beside& b) { return b.bound.name; }, {.words = kBoundNames}),
    value("value", k::kMagnitude, "The bound in the unit of the sum", [](const Beside& b) { return b.bound.value; },
          {.null = "where none is derived"}),
    value("probability", k::kProbability, "Probability with which it holds; 1: always",
          [](const Beside& b) { return b.bound.probability; }),
    value("proven", k::kTruth, "Whether it is proven for all runs that the tolerance is for",
          [](const Beside& b) { return b.bound.proven; }),
    value<&Beside::ratio>("ratio", k::kMagnitude, "The bound divided by atol",
                          {.null = "where there is no atol above 0"}),
    value("note", k::kText, "What it rests on, in words", [](const Beside& b) { return b.bound.note; }),
};
constexpr TableOf<Beside> kToleranceBound{{.key = "bound",
                                           .title = "Tolerance bound",
                                           .help = "A bound beside the tolerance.",
                                           .fields = kToleranceBoundFields}};

std::optional<std::string> line_for(const ToleranceFinding& finding, std::string_view framework) {
  for (const PasteLine& line : paste_lines(finding))
    if (line.framework == framework) return line.text;
  return {};
}
constexpr More kWithoutTolerance{.absent = "where there is no tolerance"};
constexpr Field kPasteLineFields[] = {
    value(
        "numpy", k::kText, "For numpy.testing", [](const ToleranceFinding& f) { return line_for(f, "numpy"); },
        kWithoutTolerance),
    value(
        "torch", k::kText, "For torch.testing", [](const ToleranceFinding& f) { return line_for(f, "torch"); },
        kWithoutTolerance),
    value(
        "googletest", k::kText, "For GoogleTest", [](const ToleranceFinding& f) { return line_for(f, "googletest"); },
        kWithoutTolerance),
    value(
        "doctest", k::kText, "For doctest", [](const ToleranceFinding& f) { return line_for(f, "doctest"); },
        kWithoutTolerance),
};
constexpr TableOf<ToleranceFinding> kPasteLines{
    {.key = "lines",
     .title = "Tolerance lines",
     .help = "Lines to paste into a test. Empty where there is no tolerance.",
     .fields = kPasteLineFields,
     .rules = R"({"dependentRequired": {"numpy": ["torch"], "torch": ["googletest"], "googletest": ["doctest"],
                                        "doctest": ["numpy"]}})"}};

constexpr Field kUsualOrderFields[] = {
    value<&UsualOrder::situation>("situation", k::kText, "The code"),
    value<&UsualOrder::order>("order", k::kText, "Its order"),
};
constexpr TableOf<UsualOrder> kUsualOrder{{.key = "usual_order",
                                           .title = "Usual order",
                                           .help = "An order, by the code that has it.",
                                           .fields = kUsualOrderFields}};

constexpr Field kToleranceFields[] = {
    head<ToleranceFinding>(),
    command<ToleranceFinding>(R"("tolerance")"),
    group("config", kToleranceConfig),
    partial<&ToleranceFinding::partial>(),
    part<&ToleranceFinding::input>("input", kInput, "The terms; of several inputs the first"),
    judged_order<ToleranceFinding>(),
    part<&ToleranceFinding::warnings>("warnings", kTexts, kWarningsHelp, kOfWarnings),
    value("against", k::kText, study::kAgainst.config_help, [](const ToleranceFinding& f) { return compared_with(f); }),
    value("samples", k::kCount, "Number of results of the order that were drawn",
          [](const ToleranceFinding& f) { return f.draws * results_per_draw(f.against); }),
    group("tolerance", kToleranceLimits),
    group("observed", kObservedDeviations),
    value<&ToleranceFinding::condition>("condition", k::kMagnitude, "Greatest condition number of the inputs"),
    part("bounds", kToleranceBound, "Bounds on what the tolerance limits",
         [](const ToleranceFinding& f) { return bounds_beside(f); }),
    group("lines", kPasteLines),
    part("usual_orders", kUsualOrder, "Orders to name instead",
         [](const ToleranceFinding& f) {
           const auto all = study::usual_orders();
           return f.order_assumed ? std::vector(all.begin(), all.end()) : std::vector<UsualOrder>();
         },
         {.absent = "where an order was given"}),
};

}  // namespace

constexpr TableOf<ToleranceFinding> kToleranceDocument{
    {.key = "tolerance",
     .title = "Tolerance",
     .help = "Written by `orderlab tolerance --json`: which tolerance a comparison needs.",
     .fields = kToleranceFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::ToleranceFinding& finding) {
  return json_document(to_json(described::kToleranceDocument, finding));
}

}  // namespace orderlab
