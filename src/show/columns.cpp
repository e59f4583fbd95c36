#include "show/columns.hpp"

#include <fmt/format.h>

#include "core/printed_number.hpp"
#include "show/csv_cell.hpp"

namespace orderlab {

std::string csv_cell(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", printed(*number));
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return std::to_string(*count);
  if (const auto* text = std::get_if<std::string>(&value)) return csv_cell(*text);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  return {};
}

std::string csv_line(std::initializer_list<Value> cells) {
  std::string line;
  for (const Value& cell : cells) line.append(csv_cell(cell)).append(",");
  line.back() = '\n';
  return line;
}

}  // namespace orderlab
