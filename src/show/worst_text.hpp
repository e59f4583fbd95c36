// What a person reads after `worst`.
#pragma once

#include <string>

#include "orderlab/study/worst.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// Both extremes in a table, how they were found, how far sampling goes, and their orders where these are short.
std::string to_text(const study::WorstFinding& report, const TextStyle& style);

}  // namespace orderlab
