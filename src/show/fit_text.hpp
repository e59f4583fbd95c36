// Fits as text for people.
#pragma once

#include <string>

#include "orderlab/study/fit.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// Outliers, parameters with errors, the models beside the rows held out, predictions, and the best one to paste.
std::string to_text(const study::FitFinding& report, const TextStyle& style);

}  // namespace orderlab
