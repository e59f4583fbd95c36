#include "box/one_line.hpp"

#include "core/printable.hpp"
#include "core/text.hpp"

namespace orderlab {

std::string one_line(std::string_view text) {
  constexpr std::size_t kLongest = 160;
  std::string line;
  bool blank = false;
  for (; !text.empty() && line.size() < kLongest;) {
    const std::size_t length = utf8_length(text);
    if (text.front() == ' ' || control_length(text) > 0) {
      blank = !line.empty();
    } else {
      if (blank) line += ' ';
      blank = false;
      line += length == 0 ? kReplacement : text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return text.empty() ? line : line + "...";
}

std::string last_line(std::string_view text) {
  while (true) {
    const std::size_t end = text.find_last_of("\r\n");
    std::string line = one_line(end == std::string_view::npos ? text : text.substr(end + 1));
    if (!line.empty() || end == std::string_view::npos) return line;
    text = text.substr(0, end);
  }
}

}  // namespace orderlab
