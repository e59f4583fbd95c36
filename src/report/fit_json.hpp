// The JSON of `fit`.
#pragma once

#include <nlohmann/json.hpp>

#include "report/fit_report.hpp"

namespace orderlab {

/// The document. Two runs of one config give the same bytes.
nlohmann::ordered_json to_json(const FitReport& report);

}  // namespace orderlab
