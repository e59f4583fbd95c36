#include "show/fields_csv.hpp"

#include "show/columns.hpp"

namespace orderlab::described {

namespace {

bool in_csv(const Field& field) { return field.where == Where::csv || field.where == Where::both; }

}  // namespace

std::string csv_titles(const Table& table) {
  std::string line;
  for (const Field& field : table.fields)
    if (in_csv(field)) line.append(line.empty() ? "" : ",").append(field.name);
  return line + "\n";
}

std::string detail::csv_row(const Table& table, const void* object) {
  std::string line;
  bool first = true;
  for (const Field& field : table.fields) {
    if (!in_csv(field)) continue;
    line.append(first ? "" : ",").append(csv_cell(field.get(object).value_or(Value())));
    first = false;
  }
  return line + "\n";
}

}  // namespace orderlab::described
