// The JSON of `tolerance`.
#pragma once

#include <string>

#include "report/tolerance_report.hpp"

namespace orderlab {

/// The document. Two runs of one config give the same bytes.
std::string to_json(const ToleranceReport& report);

}  // namespace orderlab
