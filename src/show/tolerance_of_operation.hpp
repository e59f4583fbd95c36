// Text, CSV and JSON of the tolerance of whole arrays.
#pragma once

#include <string>

#include "orderlab/study/tolerance.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::OperationToleranceFinding& finding, const TextStyle& style);
std::string to_json(const study::OperationToleranceFinding& finding);

/// The line of a test that compares with the tolerance, or that there is none.
std::string line_to_paste(const study::OperationToleranceFinding& finding);

/// One row for each measure.
std::string to_csv(const study::OperationToleranceFinding& finding);

}  // namespace orderlab
