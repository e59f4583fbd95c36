#include "page/sum_point.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "metrics/statistics.hpp"
#include "orderlab/bounds.hpp"
#include "page/error_shape.hpp"

namespace orderlab {

namespace {

// Bins joined in pairs until they are few enough.
BinnedResults joined_bins(const BinnedResults& bins) {
  BinnedResults joined = bins;
  for (int pairs = 1; joined.indices.size() > kKeptErrors; ++pairs) {
    joined = {{{}, 1}, bins.exponent + pairs};
    for (const Weighted& bin : bins.indices.values)
      joined.indices.values.push_back({std::floor(std::ldexp(bin.value, -pairs)), bin.weight});
    joined.indices = equal_joined(joined.indices);
  }
  return joined;
}

// -0 and +0 are two results of one error.
Distribution kept_errors(const MeasuredPoint& measured) {
  if (measured.bins.indices.empty())
    return joined_neighbours(equal_joined(errors_of(measured.results, measured.exact)), kKeptErrors);
  const auto frame = CountingFrame::make(measured.exact, measured.config.formats.result, measured.config.max_distinct);
  return errors_of(joined_bins(measured.bins), frame, measured.exact);
}

// Samples that gave inf or NaN, or orders, of which there may be more than a double counts.
std::uint64_t count_not_finite(const NonfiniteResults& results) {
  std::uint64_t all = 0;
  for (const Value* value : {&results.inf, &results.minus_inf, &results.nan}) {
    if (const auto* count = std::get_if<std::uint64_t>(value)) all += *count;
    if (const auto* digits = std::get_if<std::string>(value)) all += std::stoull(*digits);
  }
  return all;
}

// Differences from the baseline's result over sum |x|. Results are subtracted themselves: equal ones differ by 0.
void add_differences(SumPoint& point, const MeasuredPoint& measured) {
  const double sum_abs = measured.sum_abs.to_double();
  if (point.in_u_sum_abs.sd) point.apart_spread = *point.in_u_sum_abs.sd * point.unit_roundoff;
  const std::string& bits = measured.metrics.of<VsSummary>().baseline_bits;
  if (bits.empty() || !(sum_abs > 0)) return;
  const double base = value_of_bits(point.formats.result, std::stoull(bits, nullptr, 16));
  if (!std::isfinite(base)) return;
  double largest = 0;
  double sum = 0;
  double count = 0;
  for (const Weighted& result : measured.results.values) {
    if (!std::isfinite(result.value)) continue;
    const double difference = (result.value - base) / sum_abs;
    largest = std::max(largest, std::fabs(difference));
    sum += difference * result.weight;
    count += result.weight;
  }
  if (count == 0) return;
  point.apart_max_abs = largest;
  point.apart_offset = sum / count;
}

void add_common_value(SumPoint& point, const Distribution& results) {
  if (results.empty()) return;
  const double first = results.values.front().value;
  if (std::isfinite(first) && first == results.values.back().value) point.common_value = first;
}

// Only beside an error, and one that is a part of the sum.
void add_bounds(SumPoint& point, const BoundSummary& bounds) {
  if (!(point.relative_max_abs.value_or(0) > 0)) return;
  point.running_bound = bounds.running.max;
  if (bounds.probabilistic.value && !no_better(bounds.probabilistic.value, bounds.running.max))
    point.probabilistic_bound = bounds.probabilistic.value;
}

// Mean and deviation are of N - 1; a root mean square of N.
ErrorSizes error_sizes(const Summary& summary, std::uint64_t samples, const std::optional<ErrorUnit>& unit) {
  ErrorSizes sizes;
  sizes.unit = unit;
  sizes.sd = summary.sd;
  sizes.max_abs = summary.max_abs;
  const double n = static_cast<double>(std::max<std::uint64_t>(samples, 1));
  if (summary.mean) sizes.rms = std::hypot(*summary.mean, sizes.sd.value_or(0) * std::sqrt((n - 1) / n));
  if (summary.min && summary.max) sizes.range = *summary.max - *summary.min;
  return sizes;
}

}  // namespace

void set_unit(SumPoint& point, const ErrorSizes& sizes) {
  point.error_sd = sizes.sd;
  point.error_max_abs = sizes.max_abs;
  point.error_rms = sizes.rms;
  point.error_range = sizes.range;
  if (!sizes.unit) return;  // every term is 0, and so is every error
  for (std::optional<double>* bound : {&point.running_bound, &point.probabilistic_bound})
    if (*bound) *bound = sizes.unit->of(**bound);
  for (Weighted& error : point.errors.values) error.value = sizes.unit->of(error.value) + 0.0;  // -0 is 0
  point.errors.width = sizes.unit->of(point.errors.width);
  const auto is_infinite = [](const Weighted& error) { return !std::isfinite(error.value); };
  if (std::any_of(point.errors.values.begin(), point.errors.values.end(), is_infinite)) point.errors = {};
}

SumPoint point_of(const MeasuredPoint& measured) {
  SumPoint point;
  static_cast<PointConfig&>(point) = measured.config;
  point.random = measured.random;
  point.samples = measured.samples;
  point.condition = measured.condition;
  const Metrics& metrics = measured.metrics;
  const auto& errors = metrics.of<ErrorSummary>();
  const auto& vs = metrics.of<VsSummary>();
  const ErrorUnits units(measured.exact, measured.sum_abs, point.formats);
  if (const auto distinct = metrics.of<DistinctResults>().count) point.distinct = static_cast<double>(*distinct);
  point.in_ulps = error_sizes(errors.ulp, point.samples, units.ulp);
  point.in_u_sum_abs = error_sizes(errors.u_sum_abs, point.samples, units.u_sum_abs);
  point.relative_max_abs = errors.relative.max_abs;
  point.stagnation = metrics.of<StagnationSummary>().sum;
  point.vs_baseline = vs.baseline;
  point.vs_offset = vs.offset;
  point.vs_spread = vs.spread;
  point.vs_max_abs = vs.max_abs;
  point.unit_roundoff = info(point.formats.accumulate).unit_roundoff();
  point.errors = kept_errors(measured);
  point.not_finite =
      point.errors.empty() ? point.samples : std::min(count_not_finite(metrics.of<NonfiniteResults>()), point.samples);
  add_bounds(point, metrics.of<BoundSummary>());
  add_common_value(point, measured.results);
  if (point.in_u_sum_abs.max_abs) point.part_max_abs = *point.in_u_sum_abs.max_abs * point.unit_roundoff;
  add_differences(point, measured);
  return point;
}

}  // namespace orderlab
