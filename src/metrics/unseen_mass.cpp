// Probability that the next sample is a result not seen yet.
#include <algorithm>

#include "orderlab/metrics.hpp"

namespace orderlab {

extern const Metric kUnseenMass;
const Metric kUnseenMass{
    .name = "unseen_mass",
    .unit = "probability",
    .summary = "expected probability of all results not seen yet: results seen once / samples; 0 for a fixed order",
    .source = "[Good1953]",
    .measure = [](const Measurement& m) -> Field {
      if (m.counts.binned() || m.counts.samples() == 0) return {};
      if (!m.evaluator.order().random()) return 0.0;
      const auto results = m.counts.results();
      const auto once = std::count_if(results.begin(), results.end(), [](const auto& r) { return r.count == 1; });
      return static_cast<double>(once) / static_cast<double>(m.counts.samples());
    },
};

}  // namespace orderlab
