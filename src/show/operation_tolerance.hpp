// Text, CSV and JSON of the tolerance of whole arrays.
#pragma once

#include <string>

#include "orderlab/study/operation_tolerance.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::OperationToleranceFinding& report, const TextStyle& style);
std::string to_json(const study::OperationToleranceFinding& report);

/// One row for each measure.
std::string to_csv(const study::OperationToleranceFinding& report);

}  // namespace orderlab
