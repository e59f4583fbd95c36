#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "show/colors.hpp"
#include "show/groups.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::GroupAnswer;

/// A column of the table; no text where the answer does not say.
struct GroupColumn {
  Column column;
  std::optional<std::string> (*cell)(const GroupAnswer& answer);
};

std::optional<std::string> number_cell(std::optional<double> value, int digits) {
  return value ? std::optional(number(value, digits)) : std::nullopt;
}

std::optional<std::string> result_cell(const GroupAnswer& answer, std::optional<double> value) {
  return value ? std::optional(number_of(answer.input.formats.result, *value, true)) : std::nullopt;
}

const GroupColumn kGroupColumns[] = {
    {{"terms"}, [](const GroupAnswer& a) { return std::optional(std::to_string(a.input.n)); }},
    {{"exact sum"}, [](const GroupAnswer& a) { return std::optional(a.input.exact.decimal(kShownDigits)); }},
    {{"results"},
     [](const GroupAnswer& a) {
       if (a.more_than) return std::optional("> " + std::to_string(*a.more_than));
       return a.results ? std::optional(std::to_string(*a.results)) : std::nullopt;
     }},
    {{"least"}, [](const GroupAnswer& a) { return result_cell(a, a.least); }},
    {{"greatest"}, [](const GroupAnswer& a) { return result_cell(a, a.greatest); }},
    {{"largest error"}, [](const GroupAnswer& a) { return number_cell(a.largest_error, 2); }},
    {{"same bits"}, [](const GroupAnswer& a) { return number_cell(a.same_bits, 3); }},
    {{"tolerance"}, [](const GroupAnswer& a) { return number_cell(a.tolerance, 3); }},
    {{"verdict", Align::left},
     [](const GroupAnswer& a) { return a.verdict.empty() ? std::nullopt : std::optional(a.verdict); }},
};

std::string table_of_groups(const study::GroupsFinding& finding, const TextStyle& style) {
  std::vector<Column> columns{{finding.by, Align::left}};
  std::vector<Table::Row> rows;
  for (const GroupAnswer& answer : finding.groups) rows.push_back({answer.group});
  for (const GroupColumn& column : kGroupColumns) {
    if (std::ranges::none_of(finding.groups, [&](const GroupAnswer& a) { return column.cell(a).has_value(); }))
      continue;
    columns.push_back(column.column);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(column.cell(finding.groups[i]).value_or("-"));
  }
  static constexpr std::string_view kDispensable[] = {"same bits", "exact sum", "largest error", "terms"};
  return fitting_table(std::move(columns), std::move(rows), kDispensable, style.width, style.color);
}

/// The group with the most of what `measure` says; null where no group says it.
template <class Measure>
const GroupAnswer* greatest(const study::GroupsFinding& finding, Measure measure) {
  const GroupAnswer* most = nullptr;
  for (const GroupAnswer& answer : finding.groups)
    if (measure(answer) && (most == nullptr || *measure(answer) > *measure(*most))) most = &answer;
  return most;
}

std::string conclusion_on_tolerances(const study::GroupsFinding& finding) {
  const auto* const most = greatest(finding, [](const GroupAnswer& a) { return a.tolerance; });
  return most == nullptr
             ? std::string("no group has a tolerance")
             : fmt::format("the largest relative tolerance is {}, of {}", number(most->tolerance, 3), most->group);
}

std::string conclusion_on_results(const study::GroupsFinding& finding) {
  const auto single = std::ranges::count_if(finding.groups, [](const GroupAnswer& a) { return a.results == 1U; });
  const std::string text = fmt::format("{} with one result; ", single);
  if (const auto* most = greatest(finding, [](const GroupAnswer& a) { return a.more_than; }))
    return text + fmt::format("the most results are more than {}, of {}", *most->more_than, most->group);
  const auto* const most = greatest(finding, [](const GroupAnswer& a) { return a.results; });
  return text + fmt::format("the most results are {}, of {}", *most->results, most->group);
}

std::string conclusion_of_groups(const study::GroupsFinding& finding) {
  std::string text;
  if (finding.command == "tolerance") {
    text = "; " + conclusion_on_tolerances(finding);
  } else if (finding.command == "check") {
    const auto bad = [](const GroupAnswer& a) { return a.problem.empty() && a.verdict != "explained"; };
    text = fmt::format(": {} not explained by order", std::ranges::count_if(finding.groups, bad));
  } else {
    text = ": " + conclusion_on_results(finding);
  }
  const auto unanswered =
      std::ranges::count_if(finding.groups, [](const GroupAnswer& a) { return !a.problem.empty(); });
  if (unanswered > 0) text += fmt::format("; {} without an answer", unanswered);
  return plural(finding.groups.size(), "group") + text + ".";
}

std::string notes_on_groups(const study::GroupsFinding& finding) {
  std::string text;
  if (finding.rounded.value_or(0) > 0)
    text += fmt::format("{} {} rounded to {}.\n", plural(*finding.rounded, "decimal"),
                        finding.rounded == 1U ? "was" : "were", info(finding.formats.result).name);
  for (const GroupAnswer& answer : finding.groups)
    if (!answer.problem.empty()) text += answer.group + ": " + answer.problem + "\n";
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string to_text(const study::GroupsFinding& finding, const TextStyle& style) {
  const std::string title = order_title(finding.name, finding.asked.expression);
  std::string text =
      wrapped(bold(title, style.color) + "\n" + to_string(finding.formats) + ", grouped by " + finding.by +
                  (finding.samples ? fmt::format(", {} samples each", *finding.samples) : "") + "\n\n",
              style.width);
  text += table_of_groups(finding, style) + "\n" + wrapped(notes_on_groups(finding), style.width);
  return text + wrapped(bold(conclusion_of_groups(finding), style.color) + "\n", style.width);
}

}  // namespace orderlab
