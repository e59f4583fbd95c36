// The JSON of `worst`.
#pragma once

#include <nlohmann/json.hpp>

#include "report/worst_report.hpp"

namespace orderlab {

/// The document: head, config, input, how the extremes were found, both with an order each, and what sampling sees.
nlohmann::ordered_json to_json(const WorstReport& report);

}  // namespace orderlab
