#include "report/enumeration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "metrics/error_units.hpp"
#include "report/colors.hpp"
#include "report/error_table.hpp"
#include "report/histogram.hpp"
#include "report/input_text.hpp"
#include "report/same_bits_text.hpp"
#include "report/table.hpp"
#include "report/wrapped.hpp"

namespace orderlab {

namespace {

// Lists of results up to so long are shown whole.
constexpr std::size_t kShownResults = 16;

std::string what_was_enumerated(const EnumerationReport& report) {
  const Enumeration& e = report.order.enumeration;
  if (e.family == OrderFamily::fixed) return "a fixed order: one result\n";
  const std::string sums = plural(e.m, e.m == report.input.n ? "term" : "partial sum");
  std::string text = sums + (e.orders == "1" ? ", one order" : ", all " + orders_in_words(e));
  if (e.always_exact) text += "; no addition rounds, whatever the order";
  return text + "\n";
}

std::string result_table(const EnumerationReport& report, const TextStyle& style) {
  static constexpr std::string_view kDispensable[] = {"orders", "bits"};
  const ErrorUnits units(report.input.exact, report.input.sum_abs, report.input.formats);
  const Format format = report.input.formats.result;
  const bool zero = report.input.exact.zero();
  std::vector<Table::Row> rows;
  for (const ReachableResult& r : report.order.enumeration.results) {
    const bool finite = std::isfinite(r.value) && units.ulp;
    const double error = finite ? report.input.exact.difference(r.value) : 0;
    rows.push_back({fmt::format("{:#.{}g}", r.value, info(format).precision * 3 / 10 + 2), bits_text(format, r.bits),
                    finite ? number(zero ? error : units.ulp->of(error), 4) : "-", shortened(r.count),
                    number(r.probability, 4)});
  }
  return fitting_table({{"result"}, {"bits"}, {zero ? "error" : "error ulp"}, {"orders"}, {"probability"}},
                       std::move(rows), kDispensable, style.width, style.color);
}

// Probabilities as counts of so many parts: bars and per cents are what is looked at.
std::string enumeration_histogram(const EnumerationReport& report, const TextStyle& style) {
  constexpr double kParts = 0x1p52;
  const ErrorUnits units(report.input.exact, report.input.sum_abs, report.input.formats);
  if (!units.ulp || report.input.exact.zero()) return "";  // next to 0 an ulp is the smallest subnormal
  std::vector<HistogramPoint> points;
  for (const ReachableResult& r : report.order.enumeration.results) {
    if (!std::isfinite(r.value)) continue;
    const double position = units.ulp->of(report.input.exact.difference(r.value));
    const auto count = static_cast<std::uint64_t>(std::max(1.0, std::round(r.probability * kParts)));
    if (!points.empty() && points.back().position == position)  // -0 and +0
      points.back().count += count;
    else
      points.push_back({position, count});
  }
  if (points.size() < 2) return "";
  HistogramLabels labels;
  labels.counts = false;
  return histogram_text(points, style.width, labels, style.color) + "\n";
}

std::string bound_line(const EnumerationReport& report) {
  const auto bound = report.order.metrics.number({"bounds", "every_order"});
  const ErrorUnits units(report.input.exact, report.input.sum_abs, report.input.formats);
  if (!bound || !units.ulp || report.order.enumeration.family == OrderFamily::fixed) return "";
  const std::string value =
      report.input.exact.zero() || std::isinf(*bound) ? number(bound, 3) : number(units.ulp->of(*bound), 3) + " ulp";
  return fmt::format("proven beforehand for every order: |error| at most {}\n", value);
}

bool some_nonfinite(const EnumerationReport& report) {
  const auto& results = report.order.enumeration.results;
  return std::any_of(results.begin(), results.end(), [](const auto& r) { return !std::isfinite(r.value); });
}

// In the error itself, or for an exact sum of 0 in the largest result.
std::string enumeration_distance(const EnumerationReport& report) {
  const auto relative = report.order.metrics.number({"error", "relative", "max_abs"});
  const auto ulps = report.order.metrics.number({"error", "ulp", "max_abs"});
  if (!ulps) return "";
  const std::string whose = some_nonfinite(report) ? "the finite ones " : "";
  if (*ulps == 0) return whose.empty() ? "; always the exact sum" : "; " + whose + "are the exact sum";
  if (relative) return fmt::format("; {}relative to the exact sum at most {}", whose, number(relative, 2));
  double farthest = 0;
  for (const ReachableResult& r : report.order.enumeration.results)
    if (std::isfinite(r.value)) farthest = std::max(farthest, std::fabs(report.input.exact.difference(r.value)));
  return fmt::format("; {}at most {} from the exact sum", whose, number(farthest, 3));
}

std::string enumeration_conclusion(const EnumerationReport& report) {
  const auto& results = report.order.enumeration.results;
  const auto likeliest = std::max_element(results.begin(), results.end(),
                                          [](const auto& a, const auto& b) { return a.probability < b.probability; });
  if (results.size() == 1)
    return fmt::format("Every order gives one and the same result, {:.{}g}{}.", results[0].value, kShownDigits,
                       enumeration_distance(report));
  const auto min = report.order.metrics.number({"error", "ulp", "min"});
  const auto max = report.order.metrics.number({"error", "ulp", "max"});
  const bool known = min && max && !report.input.exact.zero() && *max > *min;
  const std::string spread = known ? fmt::format(", spread {} ulp", number(*max - *min, 3)) : "";
  return fmt::format("These are all results: {} of them{}{}. The likeliest has probability {}.", results.size(), spread,
                     enumeration_distance(report), number(likeliest->probability, 3));
}

}  // namespace

std::string orders_in_words(const Enumeration& enumeration) {
  switch (enumeration.family) {
    case OrderFamily::fixed:
      return "1 order";
    case OrderFamily::sequences:
      return shortened(enumeration.orders) + " sequences";
    case OrderFamily::trees:
      return shortened(enumeration.orders) + " trees";
    default:
      return shortened(enumeration.orders) + " assignments to the leaves of the tree";
  }
}

std::string to_text(const EnumerationReport& report, const TextStyle& style) {
  const std::string head = head_lines(report.order.name, report.order.asked.expression, report.input, style.color);
  std::string text = wrapped(head + what_was_enumerated(report) + "\n", style.width);
  const std::size_t distinct = report.order.enumeration.results.size();
  if (distinct > 1) text += error_table(report.order.metrics, style) + "\n" + enumeration_histogram(report, style);
  if (distinct <= kShownResults) text += result_table(report, style) + "\n";
  text += wrapped(bound_line(report), style.width);
  if (distinct > 1) text += wrapped(same_bits_line(report.order.metrics, 0), style.width);
  for (const std::string& warning : report.order.warnings) text += wrapped("warning: " + warning + ".\n", style.width);
  return text + wrapped(bold(enumeration_conclusion(report), style.color) + "\n", style.width);
}

}  // namespace orderlab
