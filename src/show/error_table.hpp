// The table of errors that text reports show.
#pragma once

#include <string>

#include "orderlab/metrics.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// Least, quantiles, mean, greatest, sd of the error, in ulps and relative.
std::string error_table(const ErrorSummary& errors, const TextStyle& style);

}  // namespace orderlab
