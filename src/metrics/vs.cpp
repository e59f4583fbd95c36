// Vs = (|S_d| - |S_nd|) / |S_d| of the results against a fixed order.
#include <algorithm>
#include <cmath>

#include "core/arithmetic_guard.hpp"
#include "describe/kinds.hpp"
#include "metrics/metric_fields.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr std::string_view kNoVs = "where S_d is 0 or not finite";
constexpr Field kVsFields[] = {
    value<&VsSummary::baseline>("baseline", k::kText, "Expression of the fixed order"),
    value<&VsSummary::baseline_bits>("baseline_bits", k::kBits, "Bit pattern of its result"),
    value<&VsSummary::offset>("offset", k::kNumber, "Mean of Vs: a fixed difference between two orders",
                              {.null = kNoVs}),
    value<&VsSummary::spread>("spread", k::kMagnitude, "Standard deviation of Vs: what differs from run to run",
                              {.null = "also for a single sample"}),
    value<&VsSummary::max_abs>("max_abs", k::kMagnitude, "Greatest absolute value of Vs", {.null = kNoVs}),
};
constexpr TableOf<VsSummary> kVsTable{
    {.key = "vs",
     .title = "Vs",
     .help = "Variability Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd against the result S_d of a fixed "
             "order. Null where S_d is 0 or not finite.",
     .fields = kVsFields,
     .shared = true}};
constexpr Field kVsField = metric("vs", kVsTable);

}  // namespace

}  // namespace orderlab::described

namespace orderlab {

namespace {

// Offset, spread and largest of all.
void fill_from_results(VsSummary& vs, const Distribution& results, double base) {
  Distribution list;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Weighted& result = results.values[i];
    if (!std::isfinite(result.value)) continue;
    list.values.push_back({exact_ratio(base, std::fabs(result.value), base), result.weight});
    if (!results.orders.empty()) list.orders.push_back(results.orders[i]);
  }
  if (list.empty()) return;
  double largest = 0;
  for (const Weighted& v : list.values) largest = std::max(largest, std::fabs(v.value));
  vs.offset = mean(list);
  vs.spread = standard_deviation(list, *vs.offset);
  vs.max_abs = largest;
}

// With bins: from the exact moments, where all results have one sign; empty where they straddle 0.
void fill_from_moments(VsSummary& vs, const ResultCounts& counts, double base) {
  const auto extremes = counts.extremes();
  if (!extremes || (extremes->min < 0) != (extremes->max < 0)) return;
  const double sign = extremes->max < 0 ? -1 : 1;
  const auto n = counts.finite();
  const double average = counts.frame().center + counts.sum().value().to_double() / static_cast<double>(n);
  const auto sd = standard_deviation(counts.sum(), counts.sum_of_squares(), n);
  const double at_min = std::fabs(exact_ratio(base, std::fabs(extremes->min), base));
  const double at_max = std::fabs(exact_ratio(base, std::fabs(extremes->max), base));
  vs.offset = exact_ratio(base, sign * average, base);
  if (sd) vs.spread = *sd / base;
  vs.max_abs = std::max(at_min, at_max);
}

VsSummary measure_vs(const Measurement& m) {
  const Format format = m.evaluator.formats().result;
  VsSummary vs;
  vs.baseline = m.baseline_name;
  vs.baseline_bits = bits_text(format, bits_of(format, m.baseline));
  const double base = std::fabs(m.baseline);
  if (!(base > 0 && std::isfinite(base))) return vs;
  if (m.samples != nullptr && m.samples->binned())
    fill_from_moments(vs, *m.samples, base);
  else
    fill_from_results(vs, m.results, base);
  return vs;
}

constexpr MetricColumn kVsColumns[] = {
    {"vs_offset", "vs.offset"},
    {"vs_spread", "vs.spread"},
    {"vs_max_abs", "vs.max_abs"},
};

}  // namespace

extern const Metric kVs;
const Metric kVs{
    .name = described::kVsField.name,
    .unit = "relative to the baseline",
    .summary = "(|S_d| - |S_nd|) / |S_d| against a fixed order: offset (mean), spread (sd), max_abs; null if S_d is 0",
    .source = "[Shanmugavelu2024]",
    .functions = kMeasuredBy<measure_vs>,
    .of_samples = &described::kVsField,
    .columns = kVsColumns,
};

}  // namespace orderlab
