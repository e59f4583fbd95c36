// Cross-checks as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "report/crosscheck_report.hpp"

namespace orderlab {

nlohmann::ordered_json to_json(const CrossCheckSummary& summary);

}  // namespace orderlab
