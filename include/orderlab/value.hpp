// A value of a table: what a cell of CSV, or a member of JSON, may be.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace orderlab {

/// Nothing (null), a number, a count, a text, or a truth.
using Value = std::variant<std::monostate, double, std::uint64_t, std::string, bool>;

}  // namespace orderlab
