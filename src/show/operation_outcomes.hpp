// Text, CSV and JSON of what outputs can be, and of arrays that were checked.
#pragma once

#include <string>

#include "orderlab/study/operation_outcomes.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::OperationEnumerateFinding& finding, const TextStyle& style);
std::string to_json(const study::OperationEnumerateFinding& finding);

/// One row for each result of each output that can vary.
std::string to_csv(const study::OperationEnumerateFinding& finding);

std::string to_text(const study::OperationCheckFinding& finding, const TextStyle& style);
std::string to_json(const study::OperationCheckFinding& finding);

/// One row for each output that is not explained.
std::string to_csv(const study::OperationCheckFinding& finding);

}  // namespace orderlab
