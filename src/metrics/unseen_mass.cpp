// Probability that the next sample is a result not seen yet.
#include <algorithm>

#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

UnseenMass measure_unseen_mass(const Measurement& m) {
  if (m.samples == nullptr) return {0};
  if (m.samples->binned() || m.samples->samples() == 0) return {};
  if (!m.evaluator.order().random()) return {0};
  const auto& results = m.results.values;
  const auto once = std::count_if(results.begin(), results.end(), [](const Weighted& r) { return r.weight == 1; });
  return {static_cast<double>(once) / static_cast<double>(m.samples->samples())};
}

constexpr Field kUnseenMassFields[] = {field<&UnseenMass::probability>("")};

}  // namespace

extern const Metric kUnseenMass;
const Metric kUnseenMass{
    .name = "unseen_mass",
    .unit = "probability",
    .summary = "expected probability of all results not seen yet: results seen once / samples; 0 for a fixed order",
    .source = "[Good1953]",
    .functions = kMeasuredBy<measure_unseen_mass>,
    .fields = kUnseenMassFields,
};

}  // namespace orderlab
