// The extremes that `worst` found as CSV.
#pragma once

#include <string>

#include "orderlab/study/worst.hpp"

namespace orderlab {

/// One row an extreme: end,bits,value,error_ulp,running_bound,order.
std::string to_csv(const study::WorstFinding& report);

}  // namespace orderlab
