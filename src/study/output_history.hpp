// What single outputs did over the samples of an operation.
#pragma once

#include <cstddef>
#include <vector>

#include "orderlab/study/operation.hpp"

namespace orderlab::study {

/// One output. Launch order counts as a sample where results are compared with each other.
struct OutputHistory {
  bool varies = false;
  double different = 0;  ///< share of samples with other bits than the baseline
  double least = 0;      ///< result
  double greatest = 0;
  double movement = 0;  ///< greatest - least result, in ulps
};

/// One for each output, in C order. Of a finding whose samples, baseline and tally are there.
std::vector<OutputHistory> output_histories(const OperationSampleFinding& finding);

}  // namespace orderlab::study
