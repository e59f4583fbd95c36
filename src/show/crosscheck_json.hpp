// Cross-checks as JSON.
#pragma once

#include <string>

#include "orderlab/study/crosscheck.hpp"

namespace orderlab {

std::string to_json(const study::CrossCheckFinding& summary);

}  // namespace orderlab
