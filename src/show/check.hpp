// Text, CSV and JSON of `check`.
#pragma once

#include <string>

#include "orderlab/study/check.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// What was asked, how it was decided, a line for each value (those that are not explained first), the joint verdict,
/// and a conclusion.
std::string to_text(const study::CheckFinding& finding, const TextStyle& style);

/// One row for each distinct value: bits,value,given,verdict,reason,probability,seen,p,distance_ulp,error_ulp; empty
/// where there is none.
std::string to_csv(const study::CheckFinding& finding);

/// The document: head, config, input, how it was decided, a verdict for each distinct value, the joint one, the worst.
std::string to_json(const study::CheckFinding& finding);

}  // namespace orderlab
