#include "show/fields_text.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

#include "show/input_text.hpp"
#include "show/table.hpp"

namespace orderlab::described {

namespace {

const Field& field_with_cell(const Table& table, std::string_view name) {
  const auto at = std::find_if(table.fields.begin(), table.fields.end(),
                               [&](const Field& f) { return f.name == name && !f.cell.title.empty(); });
  assert(at != table.fields.end());
  return *at;
}

std::string cell_text(const Field& field, const void* object, const ShownUnit& unit) {
  const Value value = field.get(object).value_or(Value());
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return std::to_string(*count);
  std::optional<double> shown;
  if (const auto* given = std::get_if<double>(&value))
    shown = field.cell.scaled && unit.known() ? unit.of(*given) : *given;
  if (field.cell.needs_unit && !unit.known()) shown.reset();
  return number(shown, field.cell.digits);
}

}  // namespace

std::string detail::text_table(const Table& table, std::initializer_list<std::string_view> columns,
                               const std::vector<std::pair<std::string, const void*>>& rows, const ShownUnit& unit,
                               const TextStyle& style) {
  std::vector<Column> titles{{"", Align::left}};
  std::vector<std::string_view> dispensable;
  std::vector<orderlab::Table::Row> lines;
  for (const auto& row : rows) lines.push_back({row.first});
  for (const std::string_view name : columns) {
    const Field& field = field_with_cell(table, name);
    titles.push_back({std::string(field.cell.title) + (field.cell.needs_unit ? " " + std::string(unit.name()) : "")});
    if (field.cell.dispensable) dispensable.push_back(field.cell.title);
    for (std::size_t i = 0; i < rows.size(); ++i) lines[i].push_back(cell_text(field, rows[i].second, unit));
  }
  return fitting_table(std::move(titles), std::move(lines), dispensable, style.width, style.color);
}

}  // namespace orderlab::described
