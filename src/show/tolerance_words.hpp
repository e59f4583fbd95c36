// How a tolerance was found, and why there is none, in words.
#pragma once

#include <string>

#include "orderlab/study/tolerance.hpp"

namespace orderlab {

/// Why there is no rtol (or ulp); empty where there is one.
std::string why_no_rtol(const study::ToleranceFinding& report);
std::string why_no_ulp(const study::ToleranceFinding& report);

/// "order statistic: the 5th largest of 9151 independent orders": the derivation in words.
std::string method_in_words(const study::ToleranceFinding& report);

}  // namespace orderlab
