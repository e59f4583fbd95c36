// Probability that the next sample is a result not seen yet.
#include <algorithm>

#include "describe/kinds.hpp"
#include "metrics/metric_fields.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr Field kUnseenMassField = metric<&UnseenMass::probability>(
    "unseen_mass", k::kProbability,
    "Expected probability of all results that were not seen yet: results seen once, divided by samples; 0 for a fixed "
    "order and for all orders",
    {.null = "where results are counted in bins"});

}  // namespace

}  // namespace orderlab::described

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

}  // namespace

extern const Metric kUnseenMass;
const Metric kUnseenMass{
    .name = described::kUnseenMassField.name,
    .unit = "probability",
    .summary = "expected probability of all results not seen yet: results seen once / samples; 0 for a fixed order",
    .source = "[Good1953]",
    .functions = kMeasuredBy<measure_unseen_mass>,
    .of_samples = &described::kUnseenMassField,
};

}  // namespace orderlab
