// What text reports say of their terms, and how they write numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/experiment.hpp"

namespace orderlab {

/// Significant decimal digits of a sum.
inline constexpr int kShownDigits = 17;

/// `value` in so many significant digits, "-" where there is none.
std::string number(std::optional<double> value, int digits = 4);

/// "1 term", "2 terms".
std::string plural(std::uint64_t count, const std::string& word);

/// The decimal digits of a whole number, or "5.2e+30" for what is too long to read.
std::string shortened(const std::string& count);

/// "1000 terms, uniform(0,10), fp32".
std::string input_line(const InputReport& input);

/// "exact sum 5012.3, condition number 1".
std::string exact_line(const InputReport& input);

}  // namespace orderlab
