// What a person reads after `check`.
#pragma once

#include <string>

#include "orderlab/study/check.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// What was asked, how it was decided, a line for each value (those that are not explained first), the joint verdict,
/// and a conclusion.
std::string to_text(const study::CheckFinding& report, const TextStyle& style);

}  // namespace orderlab
