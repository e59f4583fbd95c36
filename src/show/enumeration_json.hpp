// The JSON of `enumerate`.
#pragma once

#include <string>

#include "orderlab/study/enumerate.hpp"

namespace orderlab {

/// As that of `sample`, with "orders" instead of "samples", decimal texts as counts, and probabilities.
std::string to_json(const study::EnumerateFinding& report);

}  // namespace orderlab
