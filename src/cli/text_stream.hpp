// Where a command prints: nothing that others have named can act upon the terminal.
#pragma once

#include <concepts>
#include <ostream>
#include <string>
#include <string_view>

#include "show/colors.hpp"

namespace orderlab::cli {

/// Standard output or standard error, for text.
class TextStream {
 public:
  TextStream(std::ostream& to) : to_(&to) {}

  TextStream& operator<<(std::string_view text) {
    *to_ << shown(text, false);
    return *this;
  }
  TextStream& operator<<(std::integral auto number)
    requires(!std::same_as<decltype(number), char> && !std::same_as<decltype(number), bool>)
  {
    return *this << std::to_string(number);
  }

  /// A text that may have emphasis.
  void write(std::string_view text, bool color) { *to_ << shown(text, color); }

  /// For a document, which is written as it is, and for what is done to the terminal on purpose.
  std::ostream& raw() const { return *to_; }

 private:
  std::ostream* to_;
};

}  // namespace orderlab::cli
