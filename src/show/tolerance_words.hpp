// How a tolerance was found, and why there is none, in words.
#pragma once

#include <cstdint>
#include <string>

#include "orderlab/study/tolerance.hpp"

namespace orderlab {

/// A fraction as a percentage, without the digits that a factor of 100 makes up: "99.9 %".
std::string tolerance_percent(double fraction);

/// A line that says which draws an interrupt left, and what they cover.
std::string partial_in_words(std::uint64_t draws, std::uint64_t planned, double coverage, double reached);

/// Why there is no rtol (or ulp); empty where there is one.
std::string why_no_rtol(const study::ToleranceFinding& finding);
std::string why_no_ulp(const study::ToleranceFinding& finding);

/// "order statistic: the 5th largest of 9151 independent orders": the derivation in words.
std::string method_in_words(const study::ToleranceFinding& finding);

/// "against numpy, in bf16:fp32": the order that results are compared with, and its formats where they are others.
std::string against_line(const study::ComparedOrder& other, const study::InputFacts& input);

}  // namespace orderlab
