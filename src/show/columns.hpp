// A table of findings once, for CSV and JSON alike.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/json.hpp"
#include "orderlab/value.hpp"
#include "show/input_json.hpp"

namespace orderlab {

/// A column of a table whose rows are made of a T.
template <class T>
struct ColumnOf {
  enum class Where : std::uint8_t { both, csv, json };

  std::string_view name;  ///< title in CSV, key in JSON
  Value (*cell)(const T& row);
  Where where = Where::both;
};

/// A cell that may have no value.
template <class T>
Value cell_of(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

/// One cell of CSV: a number in the fewest digits that give it back, a text quoted where it must be, nothing for null.
std::string csv_cell(const Value& value);

/// Cells, one or more, as one line.
std::string csv_line(std::initializer_list<Value> cells);

/// The titles, as one line.
template <class T>
std::string csv_titles(std::span<const ColumnOf<T>> columns) {
  std::string line;
  for (const ColumnOf<T>& column : columns)
    if (column.where != ColumnOf<T>::Where::json) line.append(line.empty() ? "" : ",").append(column.name);
  return line + "\n";
}

/// One row, as one line.
template <class T>
std::string csv_row(std::span<const ColumnOf<T>> columns, const T& row) {
  std::string line;
  bool first = true;
  for (const ColumnOf<T>& column : columns) {
    if (column.where == ColumnOf<T>::Where::json) continue;
    line.append(first ? "" : ",").append(csv_cell(column.cell(row)));
    first = false;
  }
  return line + "\n";
}

/// Titles and rows.
template <class T>
std::string csv_table(std::span<const ColumnOf<T>> columns, const std::vector<T>& rows) {
  std::string csv = csv_titles(columns);
  for (const T& row : rows) csv += csv_row(columns, row);
  return csv;
}

}  // namespace orderlab
