#include "show/csv_cell.hpp"

#include <charconv>
#include <string_view>

#include "core/printable.hpp"

namespace orderlab {

namespace {

/// "-1.5", "+0x1p3", "-inf": what reads as a number, of any notation that a cell of ours may have.
bool is_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  if (text.starts_with('-')) return false;  // a second sign
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [read, code] =
      std::from_chars(text.data(), end, value, hex ? std::chars_format::hex : std::chars_format::general);
  return read == end && code != std::errc::invalid_argument;
}

bool begins_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\n").find(text.front()) != std::string_view::npos && !is_number(text);
}

}  // namespace

std::string csv_cell(const std::string& any_text) {
  const std::string text = printable(any_text, LineEnds::kept);
  const bool formula = begins_formula(text);
  if (!formula && text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = formula ? "\"'" : "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

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
