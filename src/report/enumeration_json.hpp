// The JSON of `enumerate`.
#pragma once

#include <nlohmann/json.hpp>

#include "report/enumeration_report.hpp"

namespace orderlab {

/// As that of `sample`, with "orders" instead of "samples", decimal texts as counts, and probabilities.
nlohmann::ordered_json to_json(const EnumerationReport& report);

}  // namespace orderlab
