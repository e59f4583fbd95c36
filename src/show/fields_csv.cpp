#include "show/fields_csv.hpp"

#include "show/csv_cell.hpp"
#include "show/fields_json.hpp"

namespace orderlab::described {

namespace {

bool in_csv(const Field& field) { return field.where == Where::csv || field.where == Where::both; }

// Both end with a comma.
std::string titles_of(const Table& table) {
  std::string titles;
  for (const Field& field : table.fields)
    if (field.merged)
      titles += titles_of(field.inside());
    else if (in_csv(field))
      titles.append(field.name).append(",");
  return titles;
}

std::string cells_of(const Table& table, const void* object) {
  std::string cells;
  for (const Field& field : table.fields)
    if (field.merged)
      each_inside(field, object, [&](const void* inside) { cells += cells_of(field.inside(), inside); });
    else if (in_csv(field))
      cells.append(csv_cell(field.get(object).value_or(Value()))).append(",");
  return cells;
}

std::string line(std::string cells) {
  cells.back() = '\n';
  return cells;
}

}  // namespace

std::string csv_titles(const Table& table) { return line(titles_of(table)); }

std::string detail::csv_row(const Table& table, const void* object) { return line(cells_of(table, object)); }

}  // namespace orderlab::described
