#include "core/printable.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/text.hpp"

namespace orderlab {

namespace {

/// The character that `text` begins with. Shape: it is UTF-8 of this length, up to 3.
unsigned code_point(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  if (length == 1) return byte(0);
  if (length == 2) return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
  return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
}

bool acts(unsigned code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(unsigned code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  std::array<char, 8> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), code, 16);
  const std::string hex(digits.data(), end);
  return "\\u" + std::string(4 - hex.size(), '0') + hex;
}

}  // namespace

std::size_t control_length(std::string_view text) {
  const std::size_t length = utf8_length(text);
  return length >= 1 && length <= 3 && acts(code_point(text, length)) ? length : 0;
}

std::string printable(std::string_view text, LineEnds line_ends) {
  const auto plain = [&](char c) { return (c >= ' ' && c <= '~') || (c == '\n' && line_ends == LineEnds::kept); };
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto special = std::find_if_not(text.begin(), text.end(), plain);
    shown.append(text.begin(), special);
    text.remove_prefix(static_cast<std::size_t>(special - text.begin()));
    if (text.empty()) break;
    const std::size_t length = utf8_length(text);
    const bool kept = line_ends == LineEnds::kept && text.front() == '\t';
    if (length == 0)
      shown += kReplacement;
    else if (control_length(text) > 0 && !kept)
      shown += escaped(code_point(text, length));
    else
      shown += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

}  // namespace orderlab
