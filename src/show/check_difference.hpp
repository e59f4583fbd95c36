// Text, CSV and JSON of `check --against`.
#pragma once

#include <string>

#include "orderlab/study/check_difference.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// What was asked, how it was decided, a line for each difference, and a conclusion.
std::string to_text(const study::DifferenceFinding& finding, const TextStyle& style);

/// One row for each difference: value,verdict,reason,as_large.
std::string to_csv(const study::DifferenceFinding& finding);

/// The document: head, config, input, what was drawn, a verdict for each difference, the worst.
std::string to_json(const study::DifferenceFinding& finding);

}  // namespace orderlab
