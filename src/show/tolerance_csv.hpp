// The numbers of `tolerance` as CSV.
#pragma once

#include <string>

#include "orderlab/study/tolerance.hpp"

namespace orderlab {

/// One row a number, "kind,name,value,probability,confidence,note": the tolerances, what was observed, the bounds.
std::string to_csv(const study::ToleranceFinding& report);

}  // namespace orderlab
