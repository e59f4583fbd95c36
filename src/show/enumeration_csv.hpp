// The results of all orders of a sum as a table.
#pragma once

#include <string>

#include "orderlab/study/enumerate.hpp"

namespace orderlab {

/// Columns order, bits, value, count, probability, error_ulp; one row per result, even for more than --max-distinct.
std::string to_csv(const study::EnumerateFinding& report);

}  // namespace orderlab
