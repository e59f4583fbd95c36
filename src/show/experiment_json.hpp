// The JSON of `sample` and `sum`.
#pragma once

#include <string>

#include "orderlab/study/sample.hpp"
#include "orderlab/study/sum.hpp"

namespace orderlab {

/// The document of the interface contract. Two experiments of one config give the same bytes.
std::string to_json(const study::SampleFinding& report);
std::string to_json(const study::SumFinding& report);

}  // namespace orderlab
