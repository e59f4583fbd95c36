#include "study/operation_baseline.hpp"

#include <algorithm>

#include "orderlab/error.hpp"

namespace orderlab::study {

OutputBaseline chosen_baseline(std::optional<OutputBaseline> asked, const LoweredOperation& operation) {
  if (!asked) return operation.deterministic ? OutputBaseline::deterministic : OutputBaseline::launch;
  if (*asked == OutputBaseline::deterministic && !operation.deterministic)
    throw RequestError("baseline", "deterministic",
                       operation.text + " has no deterministic form of its own; take launch, exact or run");
  return *asked;
}

std::string addition_of(OutputBaseline baseline, const LoweredOperation& operation) {
  switch (baseline) {
    case OutputBaseline::deterministic:
      return std::string(operation.deterministic->addition);
    case OutputBaseline::launch:
      return "the same, units in launch order";
    case OutputBaseline::exact:
      return "the exact results, rounded once";
    default:
      return "another run";
  }
}

Terms results_of(OutputBaseline baseline, const OutputSums& sums, const ExactRows& exact) {
  if (baseline == OutputBaseline::deterministic) return sums.operation().deterministic->results(sums.operation());
  return baseline == OutputBaseline::exact ? exact.rounded : sums.launch();
}

std::vector<OutputBin> binned(const std::vector<double>& values, std::uint64_t in_first,
                              const std::vector<double>& edges) {
  std::vector<OutputBin> bins{{edges[0], edges[0], in_first}};
  for (std::size_t i = 1; i < edges.size(); ++i) bins.push_back({edges[i - 1], edges[i], 0});
  for (const double value : values) {
    const auto place = static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), value) - edges.begin());
    ++bins[std::min(place, bins.size() - 1)].outputs;
  }
  return bins;
}

}  // namespace orderlab::study
