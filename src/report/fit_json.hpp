// The JSON of `fit`.
#pragma once

#include <string>

#include "report/fit_report.hpp"

namespace orderlab {

/// The document. Two runs of one config give the same bytes.
std::string to_json(const FitReport& report);

}  // namespace orderlab
