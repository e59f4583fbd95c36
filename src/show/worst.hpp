// Text, CSV and JSON of `worst`.
#pragma once

#include <string>

#include "orderlab/study/worst.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// Both extremes in a table, how they were found, how far sampling goes, and their orders where these are short.
std::string to_text(const study::WorstFinding& finding, const TextStyle& style);

/// One row an extreme: end,bits,value,error_ulp,running_bound,order.
std::string to_csv(const study::WorstFinding& finding);

/// The document: head, config, input, how the extremes were found, both with an order each, and what sampling sees.
std::string to_json(const study::WorstFinding& finding);

}  // namespace orderlab
