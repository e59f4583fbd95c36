#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/printed_number.hpp"
#include "show/colors.hpp"
#include "show/enumerate.hpp"
#include "show/error_table.hpp"
#include "show/histogram.hpp"
#include "show/input_text.hpp"
#include "show/same_bits_text.hpp"
#include "show/shown_unit.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

// Lists with at most this many results are printed.
constexpr std::size_t kShownResults = 16;

std::string what_was_enumerated(const study::EnumerateFinding& finding) {
  const Enumeration& e = finding.order.enumeration;
  if (e.family == OrderFamily::fixed) return "a fixed order: one result\n";
  const std::string sums = plural(e.m, e.m == finding.input.n ? "term" : "partial sum");
  std::string text = sums + (e.orders == 1 ? ", one order" : ", all " + orders_in_words(e));
  if (e.always_exact) text += "; every addition is exact in any order";
  return text + "\n";
}

std::string result_table(const study::EnumerateFinding& finding, const TextStyle& style) {
  static constexpr std::string_view kDispensable[] = {"orders", "bits"};
  const ShownUnit unit(finding.input);
  const Format format = finding.input.formats.result;
  std::vector<Table::Row> rows;
  const Distribution& results = finding.order.enumeration.results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Weighted& r = results.values[i];
    const bool finite = std::isfinite(r.value) && unit.known();
    const double error = finite ? finding.input.exact.difference(r.value) : 0;
    rows.push_back({number_of(format, r.value, true), bits_text(format, bits_of(format, r.value)),
                    finite ? number(unit.of(error), 4) : "-", shortened(results.orders[i].str()), number(r.weight, 4)});
  }
  return fitting_table({{"result"}, {"bits"}, {"error " + std::string(unit.name())}, {"orders"}, {"probability"}},
                       std::move(rows), kDispensable, style.width, style.color);
}

std::string enumeration_histogram(const study::EnumerateFinding& finding, const TextStyle& style) {
  const ShownUnit unit(finding.input);
  if (!unit.known()) return "";
  Distribution errors = errors_of(finding.order.enumeration.results, finding.input.exact);
  for (Weighted& error : errors.values)  // a probability that underflows is not 0
    error = {unit.of(error.value), std::max(error.weight, std::numeric_limits<double>::denorm_min())};
  errors = equal_joined(errors);
  if (errors.size() < 2) return "";
  HistogramLabels labels;
  labels.unit = unit.name();
  labels.counts = false;
  return histogram_text(errors, style.width, labels, style.color) + "\n";
}

std::string bound_line(const study::EnumerateFinding& finding) {
  const auto bound = finding.order.metrics.of<BoundSummary>().every_order;
  const ShownUnit unit(finding.input);
  if (!bound || !unit.known() || finding.order.enumeration.family == OrderFamily::fixed) return "";
  return fmt::format("proven bound on |error| for every order: {}\n", unit.text(*bound));
}

bool some_nonfinite(const study::EnumerateFinding& finding) {
  const auto& results = finding.order.enumeration.results.values;
  return std::any_of(results.begin(), results.end(), [](const auto& r) { return !std::isfinite(r.value); });
}

// ", which is exact", "; largest relative error 5e-07", or an error in u sum|x| where the exact sum is 0.
std::string errors_of_results(const study::EnumerateFinding& finding, const ShownUnit& unit) {
  const auto largest = unit.errors(finding.order.metrics).max_abs;
  if (!largest) return "";
  const bool one = finding.order.enumeration.results.size() == 1;
  const std::string whose = some_nonfinite(finding) ? " of the finite ones" : "";
  if (*largest == 0)
    return one ? ", which is exact" : whose.empty() ? "; all are exact" : "; the finite ones are exact";
  const auto relative = finding.order.metrics.of<ErrorSummary>().relative.max_abs;
  const std::string error = relative ? "relative error" : "error";
  const std::string value = relative ? number(relative, 2) : fmt::format("{} {}", number(largest, 3), unit.name());
  return fmt::format("; {}{}{} {}", one ? "" : "largest ", error, whose, value);
}

std::string enumeration_conclusion(const study::EnumerateFinding& finding) {
  const ShownUnit unit(finding.input);
  const auto& results = finding.order.enumeration.results.values;
  const auto likeliest = std::max_element(results.begin(), results.end(),
                                          [](const auto& a, const auto& b) { return a.weight < b.weight; });
  if (results.size() == 1)
    return fmt::format("Every order gives the same result, {:.{}g}{}.", printed(results[0].value), kShownDigits,
                       errors_of_results(finding, unit));
  const auto min = unit.errors(finding.order.metrics).min;
  const auto max = unit.errors(finding.order.metrics).max;
  const std::string range =
      min && max && *max > *min ? fmt::format(" over a range of {} {}", number(*max - *min, 3), unit.name()) : "";
  return fmt::format("{} results are possible{}{}. The most likely one has probability {}.", results.size(), range,
                     errors_of_results(finding, unit), number(likeliest->weight, 3));
}

}  // namespace

std::string orders_in_words(const Enumeration& enumeration) {
  switch (enumeration.family) {
    case OrderFamily::fixed:
      return "1 order";
    case OrderFamily::sequences:
      return shortened(enumeration.orders.str()) + " sequences";
    case OrderFamily::trees:
      return shortened(enumeration.orders.str()) + " trees";
    case OrderFamily::queues:
      return shortened(enumeration.orders.str()) + " assignments of chunks to workers";
    default:
      return shortened(enumeration.orders.str()) + " assignments to the leaves of the tree";
  }
}

std::string to_text(const study::EnumerateFinding& finding, const TextStyle& style) {
  const std::string head = head_lines(finding.order.name, finding.order.asked.expression, finding.input, style.color);
  std::string text = wrapped(head + what_was_enumerated(finding) + "\n", style.width);
  const std::size_t distinct = finding.order.enumeration.results.size();
  if (distinct > 1)
    text += error_table(finding.order.metrics.of<ErrorSummary>(), style) + "\n" + enumeration_histogram(finding, style);
  if (distinct <= kShownResults) text += result_table(finding, style) + "\n";
  text += wrapped(bound_line(finding), style.width);
  if (distinct > 1) text += wrapped(same_bits_line(finding.order.metrics.of<SameBits>(), 0), style.width);
  for (const std::string& warning : finding.order.warnings) text += wrapped("warning: " + warning + ".\n", style.width);
  return text + wrapped(bold(enumeration_conclusion(finding), style.color) + "\n", style.width);
}

}  // namespace orderlab
