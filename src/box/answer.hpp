// The number that a command wrote.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orderlab {

/// A number as a text, or why the text is none.
struct Answer {
  std::optional<double> number;
  std::size_t digits = 0;  ///< significant decimal digits, at most Box::kAllDigits; 0 for 0, inf and NaN
  std::string problem;     ///< "answered 'abc'; a number is needed"
};

/// Reads one number with blanks around it: a decimal, a hexadecimal with 0x (all digits), inf or nan. What is beyond
/// the doubles is inf or 0.
Answer read_answer(std::string_view text);

/// `text` in quotes, in one line of ASCII, cut where it is long: "'1 2'", "'1\0\0', which has NUL bytes". Empty where
/// there are only blanks.
std::string quoted_answer(std::string_view text);

/// Appends the shortest decimal that reads back as the same double.
void append_number(std::string& text, double number);

}  // namespace orderlab
