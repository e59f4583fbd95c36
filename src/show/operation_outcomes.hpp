// Text, CSV and JSON of what outputs can be, and of arrays that were checked.
#pragma once

#include <string>

#include "orderlab/study/operation_outcomes.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::OperationEnumerateFinding& report, const TextStyle& style);
std::string to_json(const study::OperationEnumerateFinding& report);

/// One row for each result of each output that can vary.
std::string to_csv(const study::OperationEnumerateFinding& report);

std::string to_text(const study::OperationCheckFinding& report, const TextStyle& style);
std::string to_json(const study::OperationCheckFinding& report);

/// One row for each output that is not explained.
std::string to_csv(const study::OperationCheckFinding& report);

}  // namespace orderlab
