// Text, CSV and JSON of a comparison of two models.
#pragma once

#include <string>

#include "orderlab/study/compare.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::CompareFinding& finding, const TextStyle& style);
std::string to_json(const study::CompareFinding& finding);

/// One row for each model.
std::string to_csv(const study::CompareFinding& finding);

}  // namespace orderlab
