#include "report/wrapped.hpp"

#include <cstddef>

#include "report/table.hpp"

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
  std::size_t column = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find_first_of(" \n", begin);
    if (end == std::string::npos) end = text.size();
    const std::string word = text.substr(begin, end - begin);
    const std::size_t length = visible_width(word);
    if (column > 0 && column + 1 + length > static_cast<std::size_t>(width)) {
      result += '\n';
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += length;
    if (end < text.size() && text[end] == '\n') {
      result += '\n';
      column = 0;
    }
    begin = end + 1;
  }
  return result;
}

}  // namespace orderlab
