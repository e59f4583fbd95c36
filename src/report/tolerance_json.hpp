// The JSON of `tolerance`.
#pragma once

#include <nlohmann/json.hpp>

#include "report/tolerance_report.hpp"

namespace orderlab {

/// The document. Two runs of one config give the same bytes.
nlohmann::ordered_json to_json(const ToleranceReport& report);

}  // namespace orderlab
