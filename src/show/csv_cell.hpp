// A cell of a CSV table.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>

#include "core/printed_number.hpp"
#include "orderlab/value.hpp"

namespace orderlab {

/// The number there may be; empty where there is none.
template <class T>
std::string csv_cell(const std::optional<T>& value) {
  if (!value) return {};
  if constexpr (std::is_floating_point_v<T>) return fmt::format("{}", printed(*value));
  return fmt::format("{}", *value);
}

/// A text, printable but for line ends and tabs, quoted where it holds what CSV gives a meaning. A spreadsheet runs
/// what begins as a formula does: an apostrophe before such a text, unless it is a number, keeps it a text.
std::string csv_cell(const std::string& text);

/// One cell: a number in the fewest digits that give it back, a text as above, nothing for null.
std::string csv_cell(const Value& value);

/// Cells, one or more, as one line.
std::string csv_line(std::initializer_list<Value> cells);

}  // namespace orderlab
