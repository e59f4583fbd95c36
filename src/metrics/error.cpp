// Error of the results against the exact sum: in ulps of the sum, relative to it, and in units of u * sum|x|.
#include <cmath>
#include <optional>

#include "core/arithmetic_guard.hpp"
#include "metrics/error_units.hpp"
#include "metrics/metric_fields.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::described {

namespace {

constexpr Field kErrorFields[] = {
    part<&ErrorSummary::ulp>(
        "ulp", kSummary, "In ulps of the exact sum in the result format; for an exact sum of 0 in smallest subnormals"),
    part<&ErrorSummary::relative>("relative", kSummary,
                                  "As parts of the absolute value of the exact sum; null for an exact sum of 0"),
    part<&ErrorSummary::u_sum_abs>("u_sum_abs", kSummary,
                                   "In units of u sum|x|, u the unit roundoff of the format of partial sums"),
};
constexpr TableOf<ErrorSummary> kErrorTable{
    {.key = "error",
     .title = "Errors",
     .help = "Distribution of result minus exact sum over the finite results, in three units.",
     .fields = kErrorFields,
     .shared = true}};
constexpr Field kErrorField = metric("error", kErrorTable);

}  // namespace

}  // namespace orderlab::described

namespace orderlab {

namespace {

// With bins, moments and extremes are not read off the edges but exact.
Summary error_summary(const Measurement& m, const std::optional<ErrorUnit>& unit) {
  if (!unit) return {};
  Distribution errors = m.errors;
  for (Weighted& error : errors.values) error.value = unit->of(error.value);
  Summary summary = summary_of(errors);
  if (m.samples == nullptr || !m.samples->binned()) return summary;
  const ResultCounts& counts = *m.samples;
  const auto extremes = counts.extremes();
  if (!extremes) return summary;
  const auto n = counts.finite();
  const double offset = m.exact.difference(counts.frame().center);
  summary.set_extremes(unit->of(m.exact.difference(extremes->min)), unit->of(m.exact.difference(extremes->max)));
  summary.mean = unit->of(counts.sum().value().to_double() / static_cast<double>(n) + offset);
  const auto sd = standard_deviation(counts.sum(), counts.sum_of_squares(), n);
  summary.sd = sd ? std::optional(unit->of(*sd)) : std::nullopt;
  return summary;
}

ErrorSummary measure_error(const Measurement& m) {
  const ErrorUnits units(m.exact, m.sum_abs, m.evaluator.formats());
  return {error_summary(m, units.ulp), error_summary(m, units.relative), error_summary(m, units.u_sum_abs)};
}

constexpr MetricColumn kErrorColumns[] = {
    {"error_ulp_mean", "error.ulp.mean"},
    {"error_ulp_sd", "error.ulp.sd"},
    {"error_ulp_max_abs", "error.ulp.max_abs"},
};

}  // namespace

extern const Metric kError;
const Metric kError{
    .name = described::kErrorField.name,
    .unit = "ulp of the exact sum; relative; u * sum|x|",
    .summary =
        "forward error of the results; for an exact sum of 0 an ulp is the smallest subnormal and relative is null",
    .source = "[Higham2002]; quantiles with 95 % intervals of order statistics [David2003]",
    .functions = kMeasuredBy<measure_error>,
    .of_samples = &described::kErrorField,
    .columns = kErrorColumns,
};

}  // namespace orderlab
