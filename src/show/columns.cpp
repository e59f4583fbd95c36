#include "show/columns.hpp"

#include <fmt/format.h>

#include "show/csv_cell.hpp"

namespace orderlab {

std::string csv_cell(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return std::to_string(*count);
  if (const auto* text = std::get_if<std::string>(&value)) return csv_cell(*text);
  return {};
}

}  // namespace orderlab
