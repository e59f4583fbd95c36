// The table of errors that text reports show.
#pragma once

#include <string>

#include "orderlab/record.hpp"
#include "report/text_style.hpp"

namespace orderlab {

/// Least, quantiles, mean, greatest, sd of the error, in ulps and relative, from metrics that hold "error".
std::string error_table(const Record& metrics, const TextStyle& style);

}  // namespace orderlab
