// Text, CSV and JSON of ways to do an operation.
#pragma once

#include <string>

#include "orderlab/study/alternatives.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::AlternativesFinding& finding, const TextStyle& style);
std::string to_json(const study::AlternativesFinding& finding);

/// One row for each way.
std::string to_csv(const study::AlternativesFinding& finding);

}  // namespace orderlab
