// Vs = (|S_d| - |S_nd|) / |S_d| of the results against a fixed order.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

VsSummary from_results(const Measurement& m, double base) {
  std::vector<Weighted> list;
  for (const ResultCounts::Result& r : m.counts.results())
    if (std::isfinite(r.value)) list.push_back({exact_ratio(base, std::fabs(r.value), base), r.count});
  if (list.empty()) return {};
  double largest = 0;
  for (const Weighted& v : list) largest = std::max(largest, std::fabs(v.value));
  const double average = mean(list);
  return {average, standard_deviation(list, average), largest};
}

// With bins: from the exact moments, where all results have one sign; null where they straddle 0.
VsSummary from_moments(const Measurement& m, double base) {
  const auto extremes = m.counts.extremes();
  if (!extremes || (extremes->min < 0) != (extremes->max < 0)) return {};
  const double sign = extremes->max < 0 ? -1 : 1;
  const auto n = m.counts.finite();
  const double average = m.counts.frame().center + m.counts.sum().value().to_double() / static_cast<double>(n);
  const auto sd = standard_deviation(m.counts.sum(), m.counts.sum_of_squares(), n);
  const double at_min = std::fabs(exact_ratio(base, std::fabs(extremes->min), base));
  const double at_max = std::fabs(exact_ratio(base, std::fabs(extremes->max), base));
  return {exact_ratio(base, sign * average, base), sd ? std::optional(*sd / base) : std::nullopt,
          std::max(at_min, at_max)};
}

Field measure_vs(const Measurement& m) {
  const double base = std::fabs(m.baseline);
  VsSummary summary;
  if (base > 0 && std::isfinite(base)) summary = m.counts.binned() ? from_moments(m, base) : from_results(m, base);
  return std::vector<Record>{vs_record(m.baseline_name, m.evaluator.formats().result, m.baseline_bits, summary)};
}

}  // namespace

extern const Metric kVs;
const Metric kVs{
    .name = "vs",
    .unit = "relative to the baseline",
    .summary = "(|S_d| - |S_nd|) / |S_d| against a fixed order: offset (mean), spread (sd), max_abs; null if S_d is 0",
    .source = "[Shanmugavelu2024]",
    .measure = measure_vs,
};

}  // namespace orderlab
