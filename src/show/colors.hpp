// ANSI emphasis for a terminal, switched by a flag.
#pragma once

#include <string>
#include <string_view>

namespace orderlab {

namespace detail {

inline std::string emphasized(std::string_view code, std::string_view text, bool color) {
  if (!color || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace detail

/// `text`, bold where `color` is set.
inline std::string bold(std::string_view text, bool color) { return detail::emphasized("1", text, color); }

/// `text`, dim where `color` is set.
inline std::string dim(std::string_view text, bool color) { return detail::emphasized("2", text, color); }

}  // namespace orderlab
