// Text, CSV, JSON and .npy of `sum` of an operation.
#pragma once

#include <string>
#include <vector>

#include "orderlab/study/operation.hpp"
#include "show/operation.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::OperationSumFinding& finding, const TextStyle& style);
std::string to_json(const study::OperationSumFinding& finding);

/// One row for each output.
std::string to_csv(const study::OperationSumFinding& finding);

/// The results, in the shape of the output.
std::string to_npy(const study::OperationSumFinding& finding);

/// The numbers of each output.
std::vector<OutputNumbers> output_numbers(const study::OperationSumFinding& finding);

}  // namespace orderlab
