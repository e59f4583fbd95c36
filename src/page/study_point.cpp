#include "page/study_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

std::uint64_t count(const Json& json, const char* key) { return json[key].is_count() ? json[key].count() : 0; }

// 2^k = ulp(S): the quotient of the same range in values and in ulps, rounded to a power of two, which it is but for
// roundings of 2^-50 or so. Empty where all results are equal.
std::optional<int> ulp_exponent_of(const std::vector<Weighted>& values, double min_ulp, double max_ulp) {
  if (values.empty() || !(max_ulp > min_ulp)) return std::nullopt;
  const double range = values.back().value / 2 - values.front().value / 2;  // halves: two large ones may overflow
  return static_cast<int>(std::lround(std::log2(range / (max_ulp - min_ulp)))) + 1;
}

std::vector<Weighted> equal_joined(std::span<const Weighted> errors) {
  std::vector<Weighted> joined;
  for (const Weighted& error : errors)
    if (!joined.empty() && joined.back().value == error.value)
      joined.back().count += error.count;
    else
      joined.push_back(error);
  return joined;
}

// Bins begin at the rounded sum: its distance above the exact sum, in ulps. The stored median is the lower edge of its
// bin, measured from the exact sum.
double offset_of_bins(const PointTexts& point) {
  const auto median = number(point.metrics, {"error", "ulp", "quantiles", "0.5", "value"});
  std::vector<Weighted> edges;
  for (const ResultCounts::Bin& bin : point.counts.bins)
    edges.push_back({std::ldexp(bin.index, point.counts.bin_exponent), bin.count});
  return median && !edges.empty() ? *median - quantile(edges, 0.5) : 0;
}

// Middles of bins, joined in pairs until they are few enough.
std::vector<Weighted> middles_of(std::span<const ResultCounts::Bin> bins, int exponent, double offset, double& width) {
  std::map<double, std::uint64_t> counts;
  for (int joined = 0; joined == 0 || counts.size() > kKeptErrors; ++joined) {
    counts.clear();
    for (const ResultCounts::Bin& bin : bins) counts[std::floor(std::ldexp(bin.index, -joined))] += bin.count;
    width = std::ldexp(1.0, exponent + joined);
  }
  std::vector<Weighted> middles;
  for (const auto& [index, count] : counts) middles.push_back({(index + 0.5) * width + offset, count});
  return middles;
}

// Errors in ulps from the results: their differences are exact, and the least error is known from the exact sum.
std::vector<Weighted> errors_of(const PointTexts& point, double& bin_width) {
  const auto min_ulp = number(point.metrics, {"error", "ulp", "min"});
  const auto max_ulp = number(point.metrics, {"error", "ulp", "max"});
  std::vector<Weighted> errors;
  if (!min_ulp || !max_ulp || !std::isfinite(*min_ulp) || !std::isfinite(*max_ulp)) return errors;
  if (point.counts.binned) {
    return middles_of(point.counts.bins, point.counts.bin_exponent, offset_of_bins(point), bin_width);
  }
  for (const ResultCounts::Result& result : point.counts.results)
    if (std::isfinite(result.value)) errors.push_back({result.value, result.count});
  const auto exponent = ulp_exponent_of(errors, *min_ulp, *max_ulp);
  const double least = errors.empty() ? 0 : errors.front().value;
  for (Weighted& error : errors)
    error.value = *min_ulp + (exponent ? std::ldexp(error.value - least, -*exponent) : 0.0);
  return equal_joined(errors);  // -0 and +0 are two results of one error
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
  const std::string bits = text(texts.metrics["vs"], "baseline_bits");
  if (bits.empty() || !sum_abs || !(*sum_abs > 0) || texts.counts.binned) return;
  const double base = value_of_bits(point.formats.result, std::stoull(bits, nullptr, 16));
  if (!std::isfinite(base)) return;
  double largest = 0;
  double sum = 0;
  double count = 0;
  for (const ResultCounts::Result& result : texts.counts.results) {
    if (!std::isfinite(result.value)) continue;
    const double difference = (result.value - base) / *sum_abs;
    largest = std::max(largest, std::fabs(difference));
    sum += difference * static_cast<double>(result.count);
    count += static_cast<double>(result.count);
  }
  if (count == 0) return;
  point.apart_max_abs = largest;
  point.apart_offset = sum / count;
}

void add_common_value(StudyPoint& point, const BlobCounts& counts) {
  if (counts.binned || counts.results.empty()) return;
  const double first = counts.results.front().value;
  if (std::isfinite(first) && first == counts.results.back().value) point.common_value = first;
}

void add_bounds(StudyPoint& point, const PointTexts& texts) {
  // Bounds are absolute: in ulps by what the largest error is in both.
  const auto relative = number(texts.metrics, {"error", "relative", "max_abs"});
  const auto value = number(texts.terms, {"exact", "value"});
  if (!relative || !value || !point.error_max_abs || !(*point.error_max_abs > 0) || !(*relative > 0)) return;
  const double ulp = *relative * std::fabs(*value) / *point.error_max_abs;
  const auto running = number(texts.metrics, {"bounds", "running", "max"});
  const auto random = number(texts.metrics, {"bounds", "probabilistic", "value"});
  if (running) point.running_bound = *running / ulp;
  if (random && !no_better(random, running)) point.probabilistic_bound = *random / ulp;
}

// Mean and deviation are of N - 1; a root mean square of N.
ErrorSizes error_sizes(const Json& metrics, const char* unit, std::uint64_t samples) {
  ErrorSizes sizes;
  const auto mean = number(metrics, {"error", unit, "mean"});
  sizes.sd = number(metrics, {"error", unit, "sd"});
  sizes.max_abs = number(metrics, {"error", unit, "max_abs"});
  const double n = static_cast<double>(std::max<std::uint64_t>(samples, 1));
  if (mean) sizes.rms = std::hypot(*mean, sizes.sd.value_or(0) * std::sqrt((n - 1) / n));
  const auto least = number(metrics, {"error", unit, "min"});
  const auto greatest = number(metrics, {"error", unit, "max"});
  if (least && greatest) sizes.range = *greatest - *least;
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
  point.samples = count(texts.metrics, "samples");
  point.condition = number(texts.terms, {"condition"});
  point.distinct = number(texts.metrics, {"distinct"});
  set_errors(point, error_sizes(texts.metrics, "ulp", point.samples));
  point.in_u_sum_abs = error_sizes(texts.metrics, "u_sum_abs", point.samples);
  point.relative_max_abs = number(texts.metrics, {"error", "relative", "max_abs"});
  point.stagnation = number(texts.metrics, {"stagnation", "sum"});
  point.vs_baseline = text(texts.metrics["vs"], "baseline");
  point.vs_offset = number(texts.metrics, {"vs", "offset"});
  point.vs_spread = number(texts.metrics, {"vs", "spread"});
  point.vs_max_abs = number(texts.metrics, {"vs", "max_abs"});
  point.unit_roundoff = info(point.formats.accumulate).unit_roundoff();
  const std::vector<Weighted> errors = errors_of(texts, point.bin_width);
  std::uint64_t finite = 0;
  for (const Weighted& error : errors) finite += error.count;
  point.not_finite = point.samples - std::min(finite, point.samples);
  point.errors = joined_neighbours(errors, kKeptErrors);
  add_bounds(point, texts);
  add_common_value(point, texts.counts);
  point.ulp_in_u_sum_abs = ulp_in_u_sum_abs(point, texts).value_or(0);
  if (point.in_u_sum_abs.max_abs) point.part_max_abs = *point.in_u_sum_abs.max_abs * point.unit_roundoff;
  add_differences(point, texts);
  return point;
}

}  // namespace orderlab
