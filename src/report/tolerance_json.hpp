// `tolerance` for programs: JSON and CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/tolerance_report.hpp"

namespace orderlab {

/// The document. Two runs of one config give the same bytes.
nlohmann::ordered_json tolerance_json(const ToleranceReport& report);

/// One row a number, "kind,name,value,probability,confidence,note": the tolerances, what was observed, the bounds.
std::string tolerance_csv(const ToleranceReport& report);

}  // namespace orderlab
