// What a person reads after `worst`.
#pragma once

#include <string>

#include "report/text_style.hpp"
#include "report/worst_report.hpp"

namespace orderlab {

/// Both extremes in a table, how they were found, how far sampling goes, and their orders where these are short.
std::string to_text(const WorstReport& report, const TextStyle& style);

}  // namespace orderlab
