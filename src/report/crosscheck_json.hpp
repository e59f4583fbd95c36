// Cross-checks as JSON.
#pragma once

#include <string>

#include "report/crosscheck_report.hpp"

namespace orderlab {

std::string to_json(const CrossCheckSummary& summary);

}  // namespace orderlab
