// Text, CSV and JSON of `infer`.
#pragma once

#include <string>
#include <vector>

#include "orderlab/study/infer.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// What was compared, the noise, flips, and whether rounding explains them.
std::string to_text(const study::InferFinding& finding, const TextStyle& style);

/// One row for each answer.
std::string to_csv(const study::InferFinding& finding);

std::string to_json(const study::InferFinding& finding);

/// Sentences for text and page: whether rounding explains what was observed, and the rate of flips.
std::vector<std::string> conclusions_of(const study::InferFinding& finding);

}  // namespace orderlab
