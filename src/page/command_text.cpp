#include "page/command_text.hpp"

#include "page/shell_word.hpp"

namespace orderlab {

void CommandText::add(const Flag& flag, const std::string& value) {
  if (!value.empty()) text_ += " " + flag.long_name() + " " + shell_word(value);
}

}  // namespace orderlab
