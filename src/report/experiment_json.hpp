// The JSON of `sample` and `sum`.
#pragma once

#include <nlohmann/json.hpp>

#include "report/experiment.hpp"

namespace orderlab {

/// The document of the interface contract. Two experiments of one config give the same bytes.
nlohmann::ordered_json to_json(const ExperimentReport& report);

/// A double; infinities and NaN as texts.
nlohmann::ordered_json json_number(double value);

}  // namespace orderlab
