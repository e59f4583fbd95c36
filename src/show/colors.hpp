// ANSI emphasis for a terminal, switched by a flag, and the only escapes that a text for people may have.
#pragma once

#include <string>
#include <string_view>

#include "core/printable.hpp"

namespace orderlab {

namespace detail {

inline constexpr std::string_view kBold = "\x1b[1m";
inline constexpr std::string_view kDim = "\x1b[2m";
inline constexpr std::string_view kPlain = "\x1b[0m";

inline std::string emphasized(std::string_view begin, std::string_view text, bool color) {
  if (!color || text.empty()) return std::string(text);
  return std::string(begin).append(text).append(kPlain);
}

}  // namespace detail

/// `text`, bold where `color` is set.
inline std::string bold(std::string_view text, bool color) { return detail::emphasized(detail::kBold, text, color); }

/// `text`, dim where `color` is set.
inline std::string dim(std::string_view text, bool color) { return detail::emphasized(detail::kDim, text, color); }

/// A text for people as it may go to a terminal: printable, with emphasis where `color` is set. Whatever others have
/// put into it can at most be bold.
inline std::string shown(std::string_view text, bool color) {
  std::string all;
  for (std::size_t at = 0; color && at < text.size();) {
    std::string_view emphasis;
    for (const std::string_view one : {detail::kBold, detail::kDim, detail::kPlain})
      if (text.substr(at).starts_with(one)) emphasis = one;
    if (emphasis.empty()) {
      ++at;
      continue;
    }
    all.append(printable(text.substr(0, at), LineEnds::kept)).append(emphasis);
    text.remove_prefix(at + emphasis.size());
    at = 0;
  }
  return all + printable(text, LineEnds::kept);
}

}  // namespace orderlab
