// The verdicts of `check` as CSV.
#pragma once

#include <string>

#include "orderlab/study/check.hpp"

namespace orderlab {

/// One row for each distinct value: bits,value,given,verdict,reason,probability,seen,p,distance_ulp,error_ulp; empty
/// where there is none.
std::string to_csv(const study::CheckFinding& report);

}  // namespace orderlab
