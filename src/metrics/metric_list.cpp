// The built-in metrics, one line each.
#include <cmath>
#include <limits>

#include "core/float_environment.hpp"
#include "orderlab/metrics.hpp"

#define ORDERLAB_METRICS(METRIC) \
  METRIC(kDistinct)              \
  METRIC(kNonfinite)             \
  METRIC(kError)                 \
  METRIC(kVs)                    \
  METRIC(kBounds)                \
  METRIC(kStagnation)            \
  METRIC(kUnseenMass)            \
  METRIC(kSameBits)              \
  METRIC(kArrival)

namespace orderlab {

#define ORDERLAB_DECLARE(metric) extern const Metric metric;
ORDERLAB_METRICS(ORDERLAB_DECLARE)

std::span<const Metric* const> metrics() {
#define ORDERLAB_ADDRESS(metric) &metric,
  static constexpr const Metric* kMetrics[] = {ORDERLAB_METRICS(ORDERLAB_ADDRESS)};
  return kMetrics;
}

Measurement::Measurement(const Evaluator& order, const ResultCounts& counts, const ExactValue& sum,
                         const ExactValue& magnitudes)
    : evaluator(order), exact(sum), sum_abs(magnitudes), samples(&counts) {
  const FloatEnvironment environment;
  if (!counts.binned()) results = counts.results();
  errors = counts.binned() ? errors_of(counts, sum) : errors_of(results, sum);
}

Measurement::Measurement(const Evaluator& order, const Distribution& all, const ExactValue& sum,
                         const ExactValue& magnitudes)
    : evaluator(order), exact(sum), sum_abs(magnitudes), results(all), errors(errors_of(all, sum)) {}

Metrics measure_all(const Measurement& m) {
  const FloatEnvironment environment;
  Metrics all(m.samples == nullptr);
  for (const Metric* metric : metrics())
    if (m.samples != nullptr || metric->of_all_orders != nullptr) all.add(*metric, metric->functions.measure(m));
  return all;
}

double condition_number(const ExactValue& exact, const ExactValue& sum_abs) {
  const FloatEnvironment environment;
  if (!exact.finite() || !sum_abs.finite()) return std::numeric_limits<double>::quiet_NaN();
  if (sum_abs.zero()) return 1;
  if (exact.zero()) return std::numeric_limits<double>::infinity();
  const int a = sum_abs.exponent();
  const int s = exact.exponent();
  return std::ldexp(sum_abs.scaled(-a) / std::fabs(exact.scaled(-s)), a - s);
}

}  // namespace orderlab
