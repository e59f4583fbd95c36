#include "page/shell_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/printable.hpp"
#include "core/text.hpp"

namespace orderlab {

namespace {

// Bytes that nobody should paste, or that cannot be shown, are written by their numbers.
std::string ansi_quoted(std::string_view value) {
  std::string text = "$'";
  while (!value.empty()) {
    const std::size_t length = utf8_length(value);
    const bool hidden = length == 0 || control_length(value) > 0;
    for (const char c : value.substr(0, std::max<std::size_t>(length, 1)))
      if (hidden)
        text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      else
        text += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    value.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text + "'";
}

}  // namespace

std::string shell_word(const std::string& value) {
  if (printable(value) != value) return ansi_quoted(value);
  if (value.find_first_of(" ()'\"&;<>|*?$`\\") == std::string::npos) return value;
  std::string text = "'";
  for (const char c : value) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace orderlab
