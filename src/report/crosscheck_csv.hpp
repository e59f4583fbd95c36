// Cross-checks as CSV, one row a kernel, device and format.
#pragma once

#include <string>

#include "report/crosscheck_report.hpp"

namespace orderlab {

std::string to_csv(const CrossCheckSummary& summary);

}  // namespace orderlab
