// The JSON of `fit`.
#pragma once

#include <string>

#include "orderlab/study/fit.hpp"

namespace orderlab {

/// The document. Two runs of one config give the same bytes.
std::string to_json(const study::FitFinding& report);

}  // namespace orderlab
