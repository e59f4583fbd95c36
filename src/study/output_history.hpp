// What single outputs did over the samples of an operation.
#pragma once

#include <functional>
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

/// Calls each() for every output, in C order. Of a finding whose samples, baseline and tally are there.
void each_output_history(const OperationSampleFinding& finding, const std::function<void(const OutputHistory&)>& each);

/// The same as a list.
std::vector<OutputHistory> output_histories(const OperationSampleFinding& finding);

}  // namespace orderlab::study
