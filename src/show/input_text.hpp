// What text reports say of their terms, and how they write numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orderlab/format.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab {

/// Significant decimal digits of a sum.
inline constexpr int kShownDigits = 17;

/// `value` in this many significant digits, "-" where there is none.
std::string number(std::optional<double> value, int digits = 4);

/// A number of the format in digits that no other number of it has: whole ones below 10^9 to the last digit ("75264"),
/// others in as many digits as the format needs ("5.57377052"); "-0". `aligned`: with zeros at the end, for a column.
std::string number_of(Format format, double value, bool aligned = false);

/// "1 step", "250 steps": from one number of a format to the next. Ulps are a unit of errors, here those of the exact
/// sum; two numbers are so many steps apart.
std::string steps_in_words(std::uint64_t steps);

/// "1 term", "2 terms".
std::string plural(std::uint64_t count, const std::string& word);

/// The decimal digits of a whole number, or "5.2e+30" if they are too many to read.
std::string shortened(const std::string& count);

/// "ao = arrive(uniform) | seq(acc=atomic)"; the expression alone where it has no name.
std::string order_title(const std::string& name, const std::string& expression);

/// "1000 terms, uniform(0,10), fp32".
std::string input_line(const study::InputFacts& input);

/// "exact sum 5012.3, condition number 1".
std::string exact_line(const study::InputFacts& input);

/// Three lines: the title of the order (bold where `color`), the terms, their exact sum.
std::string head_lines(const std::string& name, const std::string& expression, const study::InputFacts& input,
                       bool color);

}  // namespace orderlab
