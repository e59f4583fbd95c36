// Rows of CSV by tables of fields.
#pragma once

#include <string>

#include "describe/table.hpp"

namespace orderlab::described {

namespace detail {
std::string csv_row(const Table& table, const void* object);
}

/// The titles of the fields that CSV has, as one line.
std::string csv_titles(const Table& table);

/// Their values, as one line.
template <class T>
std::string csv_row(const TableOf<T>& table, const T& object) {
  return detail::csv_row(table, &object);
}

/// Titles and rows.
template <class T, class Rows>
std::string csv_table(const TableOf<T>& table, const Rows& rows) {
  std::string csv = csv_titles(table);
  for (const T& row : rows) csv += csv_row(table, row);
  return csv;
}

}  // namespace orderlab::described
