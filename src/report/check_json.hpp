// The JSON of `check`.
#pragma once

#include <string>

#include "report/check_report.hpp"

namespace orderlab {

/// The document: head, config, input, how it was decided, a verdict for each distinct value, the joint one, the worst.
std::string to_json(const CheckReport& report);

}  // namespace orderlab
