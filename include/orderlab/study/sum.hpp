// What does one fixed order give? The bits, the error, the bounds.
#pragma once

#include "orderlab/study/sample.hpp"

namespace orderlab::study {

/// One order, evaluated once.
struct SumFinding : SampleFinding {};

}  // namespace orderlab::study
