// Cross-checks as CSV, one row a kernel, device and format.
#pragma once

#include <string>

#include "orderlab/study/crosscheck.hpp"

namespace orderlab {

std::string to_csv(const study::CrossCheckFinding& summary);

}  // namespace orderlab
