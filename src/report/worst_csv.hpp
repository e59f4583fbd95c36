// The extremes that `worst` found as CSV.
#pragma once

#include <string>

#include "report/worst_report.hpp"

namespace orderlab {

/// One row an extreme: end,bits,value,error_ulp,running_bound,order.
std::string to_csv(const WorstReport& report);

}  // namespace orderlab
