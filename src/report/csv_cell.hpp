// A cell of a CSV table.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace orderlab {

/// The number there may be; empty where there is none.
template <class T>
std::string csv_cell(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

/// A text, quoted where it holds what CSV gives a meaning.
inline std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace orderlab
