// Fits as CSV.
#pragma once

#include <string>

#include "orderlab/study/fit.hpp"

namespace orderlab {

/// One row a number, "model,kind,name,value,error,low,high,recorded,accepted": parameters, features on the rows held
/// out, predictions.
std::string to_csv(const study::FitFinding& report);

}  // namespace orderlab
