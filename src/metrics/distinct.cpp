// How many different results there are, and how many of them are no finite numbers.
#include <cmath>

#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

DistinctResults measure_distinct(const Measurement& m) {
  if (m.samples != nullptr && m.samples->binned()) return {};
  return {m.results.size()};
}

NonfiniteResults measure_nonfinite(const Measurement& m) {
  if (m.samples != nullptr) return {m.samples->infinities(), m.samples->minus_infinities(), m.samples->nans()};
  BigCount inf = 0;
  BigCount minus_inf = 0;
  BigCount nan = 0;
  for (std::size_t i = 0; i < m.results.size(); ++i) {
    const double result = m.results.values[i].value;
    if (!std::isfinite(result)) (std::isnan(result) ? nan : result > 0 ? inf : minus_inf) += m.results.orders[i];
  }
  return {inf.str(), minus_inf.str(), nan.str()};
}

constexpr Field kDistinctFields[] = {field<&DistinctResults::count>("")};
constexpr MetricColumn kDistinctColumns[] = {column<&DistinctResults::count>("distinct_results")};

constexpr Field kNonfiniteFields[] = {
    field<&NonfiniteResults::inf>("inf"),
    field<&NonfiniteResults::minus_inf>("minus_inf"),
    field<&NonfiniteResults::nan>("nan"),
};

}  // namespace

extern const Metric kDistinct;
const Metric kDistinct{
    .name = "distinct",
    .unit = "results",
    .summary = "different bit patterns seen; null if more than --max-distinct",
    .source = "exact count",
    .functions = kMeasuredBy<measure_distinct>,
    .fields = kDistinctFields,
    .columns = kDistinctColumns,
};

extern const Metric kNonfinite;
const Metric kNonfinite{
    .name = "nonfinite",
    .unit = "samples",
    .summary = "samples that gave inf, -inf or NaN; excluded from moments",
    .source = "IEEE 754",
    .functions = kMeasuredBy<measure_nonfinite>,
    .fields = kNonfiniteFields,
};

}  // namespace orderlab
