#include "study/operation_baseline.hpp"

#include <algorithm>

#include "operation/ordered_results.hpp"
#include "orderlab/error.hpp"
#include "study/order_run.hpp"

namespace orderlab::study {

AskedBaseline chosen_baseline(const std::optional<AskedBaseline>& asked, const LoweredOperation& operation) {
  if (!asked) return operation.deterministic ? OutputBaseline::deterministic : OutputBaseline::launch;
  if (asked->is == OutputBaseline::deterministic && !operation.deterministic)
    throw RequestError("baseline", "deterministic",
                       operation.text + " has no deterministic form of its own; take launch, exact, run or an order");
  require_fixed_baseline(asked->order);
  return *asked;
}

std::string text_of(const AskedBaseline& baseline) {
  return baseline.order ? baseline.order->expression() : std::string(name_of(baseline.is));
}

std::string addition_of(const AskedBaseline& baseline, const LoweredOperation& operation) {
  switch (baseline.is) {
    case OutputBaseline::deterministic:
      return std::string(operation.deterministic->addition);
    case OutputBaseline::launch:
      return "the same, units in launch order";
    case OutputBaseline::exact:
      return "the exact results, rounded once";
    case OutputBaseline::order:
      return "each output's numbers by " + baseline.order->expression();
    default:
      return "another run";
  }
}

Terms results_of(const AskedBaseline& baseline, const OutputSums& sums, const ExactRows& exact, const Loop& loop) {
  switch (baseline.is) {
    case OutputBaseline::deterministic:
      return sums.operation().deterministic->results(sums.operation());
    case OutputBaseline::exact:
      return exact.rounded;
    case OutputBaseline::order:
      return ordered_results(sums.operation(), *baseline.order, loop);
    default:
      return sums.launch();
  }
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
