// Text, CSV and JSON of arrival models fitted to a table of Vc.
#pragma once

#include <string>

#include "orderlab/study/fit.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::OperationFitFinding& finding, const TextStyle& style);
std::string to_json(const study::OperationFitFinding& finding);

/// One row for each model, half and size.
std::string to_csv(const study::OperationFitFinding& finding);

}  // namespace orderlab
