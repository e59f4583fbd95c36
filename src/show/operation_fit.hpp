// Text, CSV and JSON of arrival models fitted to a table of Vc.
#pragma once

#include <string>

#include "orderlab/study/fit_operation.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::OperationFitFinding& report, const TextStyle& style);
std::string to_json(const study::OperationFitFinding& report);

/// One row for each model, half and size.
std::string to_csv(const study::OperationFitFinding& report);

}  // namespace orderlab
