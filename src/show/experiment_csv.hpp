// Results as CSV: one row for each distinct result, or for each bin.
#pragma once

#include <string>

#include "orderlab/study/sample.hpp"

namespace orderlab {

/// Columns order,bits,value,count,error_ulp,bin_ulp. In bins `bits` is empty, value and error_ulp are the lower edge,
/// and bin_ulp is the width; it is empty for results.
std::string to_csv(const study::SampleFinding& report);

}  // namespace orderlab
