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

}  // namespace orderlab
