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
     [](const GroupAnswer& a) { return a.results ? std::optional(std::to_string(*a.results)) : std::nullopt; }},
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

std::string conclusion_of_groups(const study::GroupsFinding& finding) {
  const auto groups = plural(finding.groups.size(), "group");
  if (const auto* most = greatest(finding, [](const GroupAnswer& a) { return a.tolerance; }))
    return fmt::format("{}; the largest relative tolerance is {}, of {}.", groups, number(most->tolerance, 3),
                       most->group);
  const auto single = std::ranges::count_if(finding.groups, [](const GroupAnswer& a) { return a.results == 1U; });
  if (const auto* most = greatest(finding, [](const GroupAnswer& a) { return a.results; }))
    return fmt::format("{}: {} with one result; the most results are {}, of {}.", groups, single, *most->results,
                       most->group);
  const auto bad = std::ranges::count_if(finding.groups, [](const GroupAnswer& a) { return a.verdict != "explained"; });
  return fmt::format("{}: {} not explained by order.", groups, bad);
}

}  // namespace

std::string to_text(const study::GroupsFinding& finding, const TextStyle& style) {
  const std::string title = order_title(finding.name, finding.asked.expression);
  std::string text =
      wrapped(bold(title, style.color) + "\n" + to_string(finding.formats) + ", grouped by " + finding.by +
                  (finding.samples ? fmt::format(", {} samples each", *finding.samples) : "") + "\n\n",
              style.width);
  text += table_of_groups(finding, style) + "\n";
  return text + wrapped(bold(conclusion_of_groups(finding), style.color) + "\n", style.width);
}

}  // namespace orderlab
