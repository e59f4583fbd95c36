// The built-in metrics, one line each.
#include <cmath>
#include <limits>

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

Record measure_all(const Measurement& m) {
  Record record;
  for (const Metric* metric : metrics()) record.set(std::string(metric->name), metric->measure(m));
  return record;
}

double condition_number(const ExactValue& exact, const ExactValue& sum_abs) {
  if (!exact.finite() || !sum_abs.finite()) return std::numeric_limits<double>::quiet_NaN();
  if (sum_abs.zero()) return 1;
  if (exact.zero()) return std::numeric_limits<double>::infinity();
  const int a = sum_abs.exponent();
  const int s = exact.exponent();
  return std::ldexp(sum_abs.scaled(-a) / std::fabs(exact.scaled(-s)), a - s);
}

}  // namespace orderlab
