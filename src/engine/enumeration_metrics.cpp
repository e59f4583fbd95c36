#include "orderlab/enumeration_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/arithmetic_guard.hpp"
#include "core/text.hpp"
#include "engine/big_count.hpp"
#include "metrics/error_units.hpp"
#include "metrics/same_bits.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/counts.hpp"

namespace orderlab {

namespace {

// A value of the distribution, ascending in lists.
struct Point {
  double value;
  double probability;
  BigCount count;
};

double mean_of(const std::vector<Point>& points, double probability) {
  ExactSum sum;
  for (const Point& p : points) sum.add_product(p.value, p.probability);
  return sum.value().to_double() / probability;
}

double sd_of(const std::vector<Point>& points, double probability, double mean) {
  ExactSum sum;
  for (const Point& p : points) sum.add_product((p.value - mean) * (p.value - mean), p.probability);
  return std::sqrt(sum.value().to_double() / probability);
}

double probability_of(const std::vector<Point>& points) {
  ExactSum sum;
  for (const Point& p : points) sum.add(p.probability);
  return sum.value().to_double();
}

// The least value that at least p of all orders do not exceed; p is a whole number of per cent.
double quantile_of(const std::vector<Point>& points, double p) {
  BigCount all = 0;
  for (const Point& point : points) all += point.count;
  const BigCount wanted = all * std::llround(100 * p);
  BigCount reached = 0;
  for (const Point& point : points) {
    reached += point.count;
    if (reached * 100 >= wanted) return point.value;
  }
  return points.back().value;
}

Summary summary_of(std::vector<Point> points, const std::optional<ErrorUnit>& unit) {
  Summary summary;
  if (!unit || points.empty()) return summary;
  for (Point& p : points) p.value = unit->of(p.value);
  const double probability = probability_of(points);
  summary.min = points.front().value;
  summary.max = points.back().value;
  summary.mean = mean_of(points, probability);
  summary.sd = sd_of(points, probability, *summary.mean);
  for (std::size_t i = 0; i < summary.quantiles.size(); ++i) {
    const double value = quantile_of(points, kQuantiles[i]);
    summary.quantiles[i] = {value, value, value};
  }
  return summary;
}

std::vector<Point> finite_points(const EnumerationMeasurement& m,
                                 double (*value)(const EnumerationMeasurement&, double)) {
  std::vector<Point> points;
  for (const ReachableResult& r : m.enumeration.results)
    if (std::isfinite(r.value)) points.push_back({value(m, r.value), r.probability, BigCount(r.count)});
  return points;
}

Record error_of(const EnumerationMeasurement& m) {
  std::vector<Point> errors;
  if (m.exact.finite())
    errors = finite_points(m, [](const EnumerationMeasurement& of, double v) { return of.exact.difference(v); });
  const ErrorUnits units(m.exact, m.sum_abs, m.evaluator.formats());
  Record record;
  record.set("ulp", record_of(summary_of(errors, units.ulp)));
  record.set("relative", record_of(summary_of(errors, units.relative)));
  record.set("u_sum_abs", record_of(summary_of(errors, units.u_sum_abs)));
  return record;
}

Record vs_of(const EnumerationMeasurement& m) {
  VsSummary summary;
  if (m.baseline != 0 && std::isfinite(m.baseline)) {
    const auto points = finite_points(m, [](const EnumerationMeasurement& of, double v) {
      return exact_ratio(std::fabs(of.baseline), std::fabs(v), std::fabs(of.baseline));
    });
    if (!points.empty()) {
      const double probability = probability_of(points);
      summary.offset = mean_of(points, probability);
      summary.spread = sd_of(points, probability, *summary.offset);
      summary.max_abs = 0;
      for (const Point& p : points) summary.max_abs = std::max(*summary.max_abs, std::fabs(p.value));
    }
  }
  return vs_record(m.baseline_name, m.evaluator.formats().result, m.baseline_bits, summary);
}

Record nonfinite_of(const Enumeration& enumeration) {
  BigCount infinite = 0;
  BigCount minus_infinite = 0;
  BigCount nan = 0;
  for (const ReachableResult& r : enumeration.results) {
    if (std::isnan(r.value))
      nan += BigCount(r.count);
    else if (std::isinf(r.value))
      (r.value > 0 ? infinite : minus_infinite) += BigCount(r.count);
  }
  Record record;
  return std::move(record.set("inf", Field(infinite.str()))
                       .set("minus_inf", Field(minus_infinite.str()))
                       .set("nan", Field(nan.str())));
}

// The sum of (count / orders)^2, rounded once.
Record same_bits_of(const Enumeration& enumeration) {
  BigCount agreeing = 0;
  std::vector<double> probabilities;
  for (const ReachableResult& r : enumeration.results) {
    const BigCount count(r.count);
    add_product(agreeing, count, count);
    probabilities.push_back(r.probability);
  }
  const BigCount orders(enumeration.orders);
  const double probability = ratio(agreeing, orders * orders);
  return same_bits_record(probability, ProbabilityInterval{probability, probability}, runs_to_differ(probabilities));
}

// What holds for all orders: of the additions of each one (D1, P3) nothing is known.
Record bounds_of(const EnumerationMeasurement& m) {
  const Evaluation one = m.evaluator.evaluate(0, *m.evaluator.make_scratch());
  const Format accumulate = m.evaluator.formats().accumulate;
  const double sum_abs = m.sum_abs.to_double();
  const double extra = allowance(one.error);
  Record running;
  running.set("min", std::nullopt).set("max", std::nullopt);
  Record probabilistic;
  probabilistic.set("value", std::nullopt).set("probability", Field(kProbability));
  Record bounds;
  bounds.set("running", std::move(running));
  bounds.set("gamma", m.evaluator.constant_height()
                          ? gamma_bound(one.error.plain, accumulate, one.height, sum_abs, extra)
                          : std::nullopt);
  bounds.set("probabilistic", std::move(probabilistic));
  bounds.set("any_order", any_order_bound(one.error.plain, accumulate, m.evaluator.term_count(), sum_abs, extra));
  bounds.set("every_order", every_order_bound(m.evaluator, m.exact));
  return bounds;
}

}  // namespace

Record measure_all(const EnumerationMeasurement& m) {
  Record record;
  record.set("distinct", Field(std::uint64_t{m.enumeration.results.size()}));
  record.set("nonfinite", nonfinite_of(m.enumeration));
  record.set("error", error_of(m));
  record.set("vs", vs_of(m));
  record.set("bounds", bounds_of(m));
  record.set("unseen_mass", Field(0.0));
  record.set("same_bits", same_bits_of(m.enumeration));
  return record;
}

EnumerationBins bins_of(const Enumeration& enumeration, const ExactValue& exact, Format format,
                        std::uint64_t max_distinct) {
  ResultCounts counts(CountingFrame::make(exact, format, max_distinct));
  for (const ReachableResult& r : enumeration.results) {
    Evaluation one;
    one.bits = r.bits;
    counts.add(one, std::nullopt, std::nullopt);
  }
  std::map<double, BigCount> summed;
  for (const ReachableResult& r : enumeration.results)
    if (std::isfinite(r.value)) summed[counts.bin_of(r.value)] += BigCount(r.count);
  EnumerationBins bins{counts.bin_exponent(), {}};
  for (const auto& [index, count] : summed)
    bins.bins.push_back({index, count.str(), ratio(count, BigCount(enumeration.orders))});
  return bins;
}

}  // namespace orderlab
