// Text, CSV and JSON of ways to do an operation.
#pragma once

#include <string>

#include "orderlab/study/alternatives.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::AlternativesFinding& report, const TextStyle& style);
std::string to_json(const study::AlternativesFinding& report);

/// One row for each way.
std::string to_csv(const study::AlternativesFinding& report);

}  // namespace orderlab
