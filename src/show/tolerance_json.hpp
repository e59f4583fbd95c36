// The JSON of `tolerance`.
#pragma once

#include <string>

#include "orderlab/study/tolerance.hpp"

namespace orderlab {

/// The document. Two runs of one config give the same bytes.
std::string to_json(const study::ToleranceFinding& report);

}  // namespace orderlab
