// What toml++ must not be given: some texts that are no TOML crash it or are undefined behaviour in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orderlab {

/// A place in a text, line and column from 1, and what is wrong there.
struct TomlFault {
  std::size_t line;
  std::size_t column;
  std::string problem;
};

/// The first thing in `text` that toml++ 3.3 must not see; a text without one may still be no TOML, which toml++ says.
///
/// Faults: bytes that are not UTF-8; control characters; characters beyond ASCII outside of quotes and comments, or
///         after a backslash that ends a line (toml++ pull request 305); a table header that does not begin with a key
///         (301); values that nest, or dotted keys, deeper than kMostNested (242, 293); brackets that do not match.
std::optional<TomlFault> find_toml_fault(std::string_view text);

/// Levels of nested values, and parts of a dotted key. toml++ goes down one call for each, also where it takes a table
/// apart; no config needs more than three.
inline constexpr std::size_t kMostNested = 20;

}  // namespace orderlab
