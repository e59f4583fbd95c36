#include "page/shell_word.hpp"

namespace orderlab {

std::string shell_word(const std::string& value) {
  if (value.find_first_of(" ()'\"&;<>|*?$`\\") == std::string::npos) return value;
  std::string text = "'";
  for (const char c : value) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace orderlab
