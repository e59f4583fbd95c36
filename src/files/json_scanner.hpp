// JSON taken apart from its first byte to its last, without building values: for large arrays of numbers, headers, and
// layers below the class Json.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orderlab {

/// A place in a text that moves on with every value taken. Blanks between values are skipped.
///
/// Errors: input, "JSON: what is wrong at byte N".
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  /// The next character that is no blank; 0 at the end.
  char next();

  /// Whether `wanted` came next, and was taken.
  bool take(char wanted);
  void expect(char wanted);
  void require_end();

  /// A text, decoded; a number as it is written.
  std::string string();
  std::string_view number();

  /// Any value, checked, as it is written.
  std::string_view value();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void skip_value(int depth);
  std::string escaped();
  unsigned hexadecimal();

  std::string_view text_;
  std::size_t place_ = 0;
};

}  // namespace orderlab
