// Tables for people by tables of fields: titles, digits and units are those of the cells.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "describe/table.hpp"
#include "show/shown_unit.hpp"
#include "show/text_style.hpp"

namespace orderlab::described {

namespace detail {
std::string text_table(const Table& table, std::initializer_list<std::string_view> columns,
                       const std::vector<std::pair<std::string, const void*>>& rows, const ShownUnit& unit,
                       const TextStyle& style);
}

/// A row a struct, under its title; columns are names of fields that have a cell.
template <class T>
std::string text_table(const TableOf<T>& table, std::initializer_list<std::string_view> columns,
                       const std::vector<std::pair<std::string, T>>& rows, const ShownUnit& unit,
                       const TextStyle& style) {
  std::vector<std::pair<std::string, const void*>> structs;
  for (const auto& [title, object] : rows) structs.emplace_back(title, &object);
  return detail::text_table(table, columns, structs, unit, style);
}

}  // namespace orderlab::described
