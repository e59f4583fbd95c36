// A cell of a CSV table.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <type_traits>

#include "core/printed_number.hpp"
#include "core/text.hpp"

namespace orderlab {

/// The number there may be; empty where there is none.
template <class T>
std::string csv_cell(const std::optional<T>& value) {
  if (!value) return {};
  if constexpr (std::is_floating_point_v<T>) return fmt::format("{}", printed(*value));
  return fmt::format("{}", *value);
}

/// A text, quoted where it holds what CSV gives a meaning; bytes that are no UTF-8 become U+FFFD.
inline std::string csv_cell(const std::string& any_text) {
  const std::string text = valid_utf8(any_text);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace orderlab
