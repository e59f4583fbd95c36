#include "show/alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "show/colors.hpp"
#include "show/histogram.hpp"
#include "show/input_text.hpp"
#include "show/operation.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::Alternative;

std::string guarantee_of(const Alternative& way) {
  return way.guarantee == Guarantee::not_guaranteed ? "none"
         : way.guarantee == Guarantee::run_to_run   ? "run to run"
                                                    : "any device";
}

std::string cost_table(const study::AlternativesFinding& finding, const TextStyle& style) {
  std::vector<Column> columns{{"", Align::left}, {"same bits", Align::left}, {"results"}, {"additions"}, {"height"},
                              {"passes"}};
  if (finding.adders) columns.push_back({"cycles at least"});
  Table table(columns);
  for (const Alternative& way : finding.alternatives) {
    Table::Row row{way.name,
                   guarantee_of(way),
                   std::to_string(way.results),
                   std::to_string(way.additions),
                   std::to_string(way.height),
                   std::to_string(way.passes)};
    if (way.cycles) row.push_back(std::to_string(*way.cycles));
    table.add(std::move(row));
  }
  return table.text(style.color);
}

/// Errors as bars, the longest that of the way that errs most.
std::string error_chart(const study::AlternativesFinding& finding, const TextStyle& style) {
  constexpr std::size_t kBar = 24;
  double greatest = 0;
  for (const Alternative& way : finding.alternatives)
    if (std::isfinite(way.error)) greatest = std::max(greatest, way.error);
  Table table(
      {{"", Align::left}, {"mean |error| / sum|x|", Align::left}, {""}, {"largest, ulp"}, {"runs that err less"}});
  for (const Alternative& way : finding.alternatives) {
    const bool runs = &way == &finding.alternatives.front();
    table.add({way.name, greatest > 0 && std::isfinite(way.error) ? histogram_bar(way.error, greatest, kBar) : "",
               number(way.error, 3), number(way.largest_error, 3),
               runs ? "" : fmt::format("{:.1f} %", 100 * way.better_runs)});
  }
  return table.text(style.color);
}

std::string ways(const study::AlternativesFinding& finding) {
  std::string text;
  for (const Alternative& way : finding.alternatives) {
    text += fmt::format("{}: {}", way.name, way.addition);
    if (!way.removes.empty()) text += fmt::format(", without {}", way.removes);
    text += "\n";
  }
  return text;
}

std::string ledger_conclusion(const study::AlternativesFinding& finding) {
  const Alternative& as_it_runs = finding.alternatives.front();
  if (!finding.varies) return "The operation gives the same bits in every run as it is.";
  const auto fixed = std::span(finding.alternatives).subspan(1, finding.alternatives.size() - 2);  // the last is exact
  const auto best =
      std::min_element(fixed.begin(), fixed.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
  if (!(as_it_runs.error > 0) || !std::isfinite(as_it_runs.error))
    return fmt::format("{} gave {}.", plural(finding.samples, "run"), plural(as_it_runs.results, "different array"));
  return fmt::format(
      "{} gave {}. Of the fixed orders, \"{}\" errs least: {} times the mean error of the runs; "
      "{:.1f} % "
      "of the runs err less.",
      plural(finding.samples, "run"), plural(as_it_runs.results, "different array"), best->name,
      number(best->error / as_it_runs.error, 3), 100 * best->better_runs);
}

}  // namespace

std::string to_text(const study::AlternativesFinding& finding, const TextStyle& style) {
  std::string head = operation_head(finding.input, style.color);
  if (!finding.arrival.empty()) head += arrival_of_units(finding.input, finding.arrival);
  std::string text = wrapped(head, style.width) + "\n";
  text += cost_table(finding, style) + "\n" + error_chart(finding, style) + "\n";
  std::string notes = ways(finding) + "\n";
  notes += "additions and height: of floating-point numbers; the exact sums add integers of two words or more. ";
  notes += "passes: over the contributions in memory, at most, with those of a radix sort by output.\n";
  if (finding.adders)
    notes += fmt::format(
        "cycles at least: the greater of additions / {} adders and height x {} cycles. So many adders cannot make "
        "these additions faster; memory is left out.\n",
        *finding.adders, *finding.latency);
  text += wrapped(notes, style.width) + "\n";
  text += wrapped(bold(ledger_conclusion(finding), style.color) + "\n", style.width);
  return text + (finding.partial ? "interrupted: these are the runs that were done\n" : "");
}

}  // namespace orderlab
