// Letters and digits whatever the locale of the process is.
#pragma once

namespace orderlab {

constexpr bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

}  // namespace orderlab
