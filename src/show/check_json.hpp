// The JSON of `check`.
#pragma once

#include <string>

#include "orderlab/study/check.hpp"

namespace orderlab {

/// The document: head, config, input, how it was decided, a verdict for each distinct value, the joint one, the worst.
std::string to_json(const study::CheckFinding& report);

}  // namespace orderlab
