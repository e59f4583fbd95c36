// Text, CSV and JSON of `explain`.
#pragma once

#include <string>

#include "orderlab/study/operation.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::ExplainFinding& finding, const TextStyle& style);
std::string to_json(const study::ExplainFinding& finding);

/// One row for each reason.
std::string to_csv(const study::ExplainFinding& finding);

}  // namespace orderlab
