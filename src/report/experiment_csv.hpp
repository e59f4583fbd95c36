// Results as CSV: one row for each distinct result, or for each bin.
#pragma once

#include <string>

#include "report/experiment_report.hpp"

namespace orderlab {

/// Columns order,bits,value,count,error_ulp; in bins `bits` is empty and value is the bin's lower edge.
std::string to_csv(const ExperimentReport& report);

}  // namespace orderlab
