#include "show/wrapped.hpp"

#include <algorithm>
#include <cstddef>

#include "show/table.hpp"

namespace orderlab {

namespace {

// Columns of a word that may have colors in it.
std::size_t visible_width(const std::string& word) {
  std::size_t width = display_width(word);
  for (std::size_t at = word.find('\x1b'); at != std::string::npos; at = word.find('\x1b', at + 1))
    width -= word.find('m', at) + 1 - at;
  return width;
}

}  // namespace

std::string wrapped(const std::string& text, int width) {
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t indent = std::min(text.find_first_not_of(' ', begin), end) - begin;
    std::size_t column = 0;
    for (std::size_t at = begin + indent; at < end;) {
      const std::size_t word_end = std::min(text.find(' ', at), end);
      const std::string word = text.substr(at, word_end - at);
      const std::size_t length = visible_width(word);
      if (column > 0 && column + 1 + length > static_cast<std::size_t>(width)) {
        result += '\n';
        column = 0;
      }
      result += column == 0 ? std::string(indent, ' ') : " ";
      result += word;
      column += (column == 0 ? indent : 1) + length;
      at = word_end + 1;
    }
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

std::vector<std::string> broken(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (display_width(text) > width) {
    std::size_t cut = 0;  // first byte beyond the width
    for (std::size_t columns = 0; columns < width; ++columns) do
        ++cut;
      while ((static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80);
    std::size_t end = text[cut] == ' ' ? cut : text.substr(0, cut).find_last_of(' ');
    if (end == std::string_view::npos || end == 0) {
      end = cut;
      for (const std::string_view marks : {"(", ",/", "|"})
        if (const auto mark = text.substr(0, cut).find_last_of(marks); mark != std::string_view::npos) end = mark + 1;
    }
    lines.emplace_back(text.substr(0, text.find_last_not_of(' ', end - 1) + 1));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace orderlab
