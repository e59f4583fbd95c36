// What a person reads after `tolerance`.
#pragma once

#include <string>

#include "report/text_style.hpp"
#include "report/tolerance_report.hpp"

namespace orderlab {

/// The tolerance in three units, observed errors and bounds, and lines to paste.
std::string to_text(const ToleranceReport& report, const TextStyle& style);

}  // namespace orderlab
