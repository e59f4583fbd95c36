// The JSON of `worst`.
#pragma once

#include <string>

#include "orderlab/study/worst.hpp"

namespace orderlab {

/// The document: head, config, input, how the extremes were found, both with an order each, and what sampling sees.
std::string to_json(const study::WorstFinding& report);

}  // namespace orderlab
