// The JSON of `sample` and `sum`.
#pragma once

#include <string>

#include "report/experiment_report.hpp"

namespace orderlab {

/// The document of the interface contract. Two experiments of one config give the same bytes.
std::string to_json(const ExperimentReport& report);

}  // namespace orderlab
