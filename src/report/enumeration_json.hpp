// The JSON of `enumerate`.
#pragma once

#include <string>

#include "report/enumeration_report.hpp"

namespace orderlab {

/// As that of `sample`, with "orders" instead of "samples", decimal texts as counts, and probabilities.
std::string to_json(const EnumerationReport& report);

}  // namespace orderlab
