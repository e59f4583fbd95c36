// Text, CSV and JSON of `crosscheck`.
#pragma once

#include <string>

#include "orderlab/study/crosscheck.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::CrossCheckFinding& finding, const TextStyle& style);

/// One row a kernel, device and format.
std::string to_csv(const study::CrossCheckFinding& finding);

std::string to_json(const study::CrossCheckFinding& finding);

}  // namespace orderlab
