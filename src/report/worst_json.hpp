// The JSON of `worst`.
#pragma once

#include <string>

#include "report/worst_report.hpp"

namespace orderlab {

/// The document: head, config, input, how the extremes were found, both with an order each, and what sampling sees.
std::string to_json(const WorstReport& report);

}  // namespace orderlab
