// Text, CSV and JSON of `fit`.
#pragma once

#include <string>

#include "orderlab/study/fit.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// Outliers, parameters with errors, the models beside the rows held out, predictions, and the best one to paste.
std::string to_text(const study::FitFinding& finding, const TextStyle& style);

/// One row a number, "model,kind,name,value,error,low,high,recorded,accepted": parameters, features on the rows held
/// out, predictions.
std::string to_csv(const study::FitFinding& finding);

/// The document. Two runs of one config give the same bytes.
std::string to_json(const study::FitFinding& finding);

}  // namespace orderlab
