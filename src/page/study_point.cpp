#include "page/study_point.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "metrics/statistics.hpp"
#include "orderlab/bounds.hpp"
#include "page/error_shape.hpp"

namespace orderlab {

namespace {

// A number at a path of keys, infinities included; empty if it is null or absent.
std::optional<double> number(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* key : path) {
    at = &(*at)[key];
  }
  if (at->is_number()) return at->number();
  if (*at == "inf") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::string text(const Json& json, const char* key) { return json[key].is_text() ? json[key].text() : std::string(); }

// 2^k = ulp(S): the quotient of the same range in values and in ulps, rounded to a power of two, which it is but for
// roundings of 2^-50 or so. Empty where all results are equal.
std::optional<int> ulp_exponent_of(const std::vector<Weighted>& values, double min_ulp, double max_ulp) {
  if (values.empty() || !(max_ulp > min_ulp)) return std::nullopt;
  const double range = values.back().value / 2 - values.front().value / 2;  // halves: two large ones may overflow
  return static_cast<int>(std::lround(std::log2(range / (max_ulp - min_ulp)))) + 1;
}

// Bins begin at the rounded sum: its distance above the exact sum, in ulps. The median is the lower edge of its bin,
// measured from the exact sum.
double offset_of_bins(const PointTexts& point) {
  const auto median = point.metrics.of<ErrorSummary>().ulp.quantiles[std::size(kQuantiles) / 2].value;
  std::vector<Weighted> edges = point.counts.values.values;
  for (Weighted& edge : edges) edge.value = std::ldexp(edge.value, *point.counts.bin_exponent);
  return median && !edges.empty() ? *median - quantile(edges, 0.5) : 0;
}

// Bins joined in pairs until they are few enough.
Distribution joined_bins(std::span<const Weighted> indices, int exponent, double offset) {
  Distribution bins;
  for (int joined = 0; joined == 0 || bins.size() > kKeptErrors; ++joined) {
    bins.values.clear();
    bins.width = std::ldexp(1.0, exponent + joined);
    for (const Weighted& bin : indices) {
      const double edge = std::floor(std::ldexp(bin.value, -joined)) * bins.width + offset;
      if (!bins.empty() && bins.values.back().value == edge)
        bins.values.back().weight += bin.weight;
      else
        bins.values.push_back({edge, bin.weight});
    }
  }
  return bins;
}

// Errors in ulps from the results: their differences are exact, and the least error is known from the exact sum.
Distribution errors_of(const PointTexts& point) {
  const Summary& ulps = point.metrics.of<ErrorSummary>().ulp;
  if (!ulps.min || !ulps.max || !std::isfinite(*ulps.min) || !std::isfinite(*ulps.max)) return {};
  const std::vector<Weighted>& counted = point.counts.values.values;
  if (point.counts.bin_exponent) return joined_bins(counted, *point.counts.bin_exponent, offset_of_bins(point));
  Distribution errors;
  for (const Weighted& result : counted)
    if (std::isfinite(result.value)) errors.values.push_back(result);
  const auto exponent = ulp_exponent_of(errors.values, *ulps.min, *ulps.max);
  const double least = errors.empty() ? 0 : errors.values.front().value;
  for (Weighted& error : errors.values)
    error.value = *ulps.min + (exponent ? std::ldexp(error.value - least, -*exponent) : 0.0);
  return equal_joined(errors);  // -0 and +0 are two results of one error
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

// ulp(S) in u sum |x|, by what the largest error is in both units; of an exact sum, which is a number of its format, by
// its exponent. Next to a sum of 0 an ulp is 2^-1074: over u sum |x| it is a normal number, over sum |x| it is not.
std::optional<double> ulp_in_u_sum_abs(const StudyPoint& point, const PointTexts& texts) {
  const auto part = point.in_u_sum_abs.max_abs;
  if (part && point.error_max_abs && *point.error_max_abs > 0 && std::isfinite(*point.error_max_abs))
    return *part / *point.error_max_abs;
  const auto value = number(texts.terms, {"exact", "value"});
  const auto sum_abs = number(texts.terms, {"sum_abs"});
  if (!value || !sum_abs || !(*sum_abs > 0) || !std::isfinite(*value)) return std::nullopt;
  const FormatInfo& format = info(point.formats.result);
  const int exponent = *value == 0 ? format.e_min : std::max(std::ilogb(*value), format.e_min);
  return std::ldexp(1 / point.unit_roundoff, exponent - format.precision + 1) / *sum_abs;
}

// Differences from the baseline's result over sum |x|. Results are subtracted themselves: equal ones differ by 0.
void add_differences(StudyPoint& point, const PointTexts& texts) {
  const auto sum_abs = number(texts.terms, {"sum_abs"});
  if (point.in_u_sum_abs.sd) point.apart_spread = *point.in_u_sum_abs.sd * point.unit_roundoff;
  const std::string& bits = texts.metrics.of<VsSummary>().baseline_bits;
  if (bits.empty() || !sum_abs || !(*sum_abs > 0) || texts.counts.bin_exponent) return;
  const double base = value_of_bits(point.formats.result, std::stoull(bits, nullptr, 16));
  if (!std::isfinite(base)) return;
  double largest = 0;
  double sum = 0;
  double count = 0;
  for (const Weighted& result : texts.counts.values.values) {
    if (!std::isfinite(result.value)) continue;
    const double difference = (result.value - base) / *sum_abs;
    largest = std::max(largest, std::fabs(difference));
    sum += difference * result.weight;
    count += result.weight;
  }
  if (count == 0) return;
  point.apart_max_abs = largest;
  point.apart_offset = sum / count;
}

void add_common_value(StudyPoint& point, const BlobCounts& counts) {
  if (counts.bin_exponent || counts.values.empty()) return;
  const double first = counts.values.values.front().value;
  if (std::isfinite(first) && first == counts.values.values.back().value) point.common_value = first;
}

void add_bounds(StudyPoint& point, const PointTexts& texts) {
  // Bounds are absolute: in ulps by what the largest error is in both.
  const auto relative = texts.metrics.of<ErrorSummary>().relative.max_abs;
  const auto value = number(texts.terms, {"exact", "value"});
  if (!relative || !value || !point.error_max_abs || !(*point.error_max_abs > 0) || !(*relative > 0)) return;
  const double ulp = *relative * std::fabs(*value) / *point.error_max_abs;
  const auto& bounds = texts.metrics.of<BoundSummary>();
  const auto running = bounds.running.max;
  const auto random = bounds.probabilistic.value;
  if (running) point.running_bound = *running / ulp;
  if (random && !no_better(random, running)) point.probabilistic_bound = *random / ulp;
}

// Mean and deviation are of N - 1; a root mean square of N.
ErrorSizes error_sizes(const Summary& summary, std::uint64_t samples) {
  ErrorSizes sizes;
  sizes.sd = summary.sd;
  sizes.max_abs = summary.max_abs;
  const double n = static_cast<double>(std::max<std::uint64_t>(samples, 1));
  if (summary.mean) sizes.rms = std::hypot(*summary.mean, sizes.sd.value_or(0) * std::sqrt((n - 1) / n));
  if (summary.min && summary.max) sizes.range = *summary.max - *summary.min;
  return sizes;
}

}  // namespace

void set_errors(StudyPoint& point, const ErrorSizes& sizes) {
  point.error_sd = sizes.sd;
  point.error_max_abs = sizes.max_abs;
  point.error_rms = sizes.rms;
  point.error_range = sizes.range;
}

StudyPoint point_of(const PointTexts& texts) {
  StudyPoint point;
  static_cast<PointConfig&>(point) = point_config(texts.config);
  point.expression = text(texts.summation, "expression");  // the config of several orders has that of all of them
  point.random = text(texts.summation, "guarantee") == "not_guaranteed";
  point.samples = texts.samples;
  point.condition = number(texts.terms, {"condition"});
  const Metrics& metrics = texts.metrics;
  const auto& errors = metrics.of<ErrorSummary>();
  const auto& vs = metrics.of<VsSummary>();
  if (const auto distinct = metrics.of<DistinctResults>().count) point.distinct = static_cast<double>(*distinct);
  set_errors(point, error_sizes(errors.ulp, point.samples));
  point.in_u_sum_abs = error_sizes(errors.u_sum_abs, point.samples);
  point.relative_max_abs = errors.relative.max_abs;
  point.stagnation = metrics.of<StagnationSummary>().sum;
  point.vs_baseline = vs.baseline;
  point.vs_offset = vs.offset;
  point.vs_spread = vs.spread;
  point.vs_max_abs = vs.max_abs;
  point.unit_roundoff = info(point.formats.accumulate).unit_roundoff();
  const Distribution all = errors_of(texts);
  point.not_finite =
      all.empty() ? point.samples : std::min(count_not_finite(metrics.of<NonfiniteResults>()), point.samples);
  point.errors = joined_neighbours(all, kKeptErrors);
  add_bounds(point, texts);
  add_common_value(point, texts.counts);
  point.ulp_in_u_sum_abs = ulp_in_u_sum_abs(point, texts).value_or(0);
  if (point.in_u_sum_abs.max_abs) point.part_max_abs = *point.in_u_sum_abs.max_abs * point.unit_roundoff;
  add_differences(point, texts);
  return point;
}

}  // namespace orderlab
