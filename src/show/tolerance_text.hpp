// What a person reads after `tolerance`.
#pragma once

#include <string>

#include "orderlab/study/tolerance.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// The tolerance in three units, observed errors and bounds, and lines to paste.
std::string to_text(const study::ToleranceFinding& report, const TextStyle& style);

}  // namespace orderlab
