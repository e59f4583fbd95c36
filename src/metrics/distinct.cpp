// How many different results there are, and how many of them are no finite numbers.
#include <cmath>

#include "describe/kinds.hpp"
#include "metrics/metric_fields.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr Field kDistinctField =
    metric<&DistinctResults::count>("distinct", k::kCount, "Number of different bit patterns among the results",
                                    {.null = "where they are counted in bins"});

constexpr Field kNonfiniteFields[] = {
    value<&NonfiniteResults::inf>("inf", k::kCount, "Number of samples that gave inf"),
    value<&NonfiniteResults::minus_inf>("minus_inf", k::kCount, "Number of samples that gave -inf"),
    value<&NonfiniteResults::nan>("nan", k::kCount, "Number of samples that gave NaN"),
};
constexpr TableOf<NonfiniteResults> kNonfiniteTable{
    {.key = "nonfinite",
     .title = "Nonfinite results",
     .help = "How many samples gave a result that is no finite number. These are left out of errors, Vs and moments.",
     .fields = kNonfiniteFields,
     .shared = true}};
constexpr Field kNonfiniteField = metric("nonfinite", kNonfiniteTable);

constexpr Field kNonfiniteOrdersFields[] = {
    value<&NonfiniteResults::inf>("inf", k::kOrders, "Number of orders that gave inf"),
    value<&NonfiniteResults::minus_inf>("minus_inf", k::kOrders, "Number of orders that gave -inf"),
    value<&NonfiniteResults::nan>("nan", k::kOrders, "Number of orders that gave NaN"),
};
constexpr TableOf<NonfiniteResults> kNonfiniteOrdersTable{
    {.key = "nonfinite_orders",
     .title = "Nonfinite results of orders",
     .help = "How many orders gave a result that is no finite number. These are left out of errors, Vs and moments.",
     .fields = kNonfiniteOrdersFields,
     .shared = true}};
constexpr Field kNonfiniteOrdersField = metric("nonfinite", kNonfiniteOrdersTable);

}  // namespace

}  // namespace orderlab::described

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

constexpr MetricColumn kDistinctColumns[] = {{"distinct_results", "distinct"}};

}  // namespace

extern const Metric kDistinct;
const Metric kDistinct{
    .name = described::kDistinctField.name,
    .unit = "results",
    .summary = "different bit patterns seen; null if more than --max-distinct",
    .source = "exact count",
    .functions = kMeasuredBy<measure_distinct>,
    .of_samples = &described::kDistinctField,
    .columns = kDistinctColumns,
};

extern const Metric kNonfinite;
const Metric kNonfinite{
    .name = described::kNonfiniteField.name,
    .unit = "samples",
    .summary = "samples that gave inf, -inf or NaN; excluded from moments",
    .source = "IEEE 754",
    .functions = kMeasuredBy<measure_nonfinite>,
    .of_samples = &described::kNonfiniteField,
    .of_all_orders = &described::kNonfiniteOrdersField,
};

}  // namespace orderlab
