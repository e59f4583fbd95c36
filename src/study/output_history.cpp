#include "study/output_history.hpp"

#include <algorithm>
#include <cmath>

#include "operation/exact_rows.hpp"

namespace orderlab::study {

void each_output_history(const OperationSampleFinding& finding, const std::function<void(const OutputHistory&)>& each) {
  const OutputSums& sums = *finding.sums;
  const auto varying = sums.varying();
  const Format format = sums.result_format();
  const TermView launch = sums.launch().view();
  const TermView base = finding.baseline_results.view();
  std::size_t next = 0;
  for (std::size_t r = 0; r < finding.input.outputs; ++r) {
    OutputHistory output;
    output.least = output.greatest = launch.left(r);
    output.varies = next < varying.size() && varying[next] == r;
    if (!output.varies) {  // some fixed outputs always differ from the baseline
      const bool differs = round_to_bits(format, launch.left(r)) != round_to_bits(format, base.left(r));
      output.different = differs && finding.baseline != OutputBaseline::run ? 1 : 0;
      each(output);
      continue;
    }
    output.least = std::min(finding.tally.least[next], launch.left(r));
    output.greatest = std::max(finding.tally.greatest[next], launch.left(r));
    output.different = finding.tally.different[next++] / static_cast<double>(finding.samples);
    const double movement = (output.greatest - output.least) / finding.exact->ulp[r];
    if (output.greatest > output.least && !std::isnan(movement)) output.movement = movement;
    each(output);
  }
}

std::vector<OutputHistory> output_histories(const OperationSampleFinding& finding) {
  std::vector<OutputHistory> outputs;
  outputs.reserve(finding.input.outputs);
  each_output_history(finding, [&](const OutputHistory& output) { outputs.push_back(output); });
  return outputs;
}

}  // namespace orderlab::study
