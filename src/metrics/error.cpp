// Error of the results against the exact sum: in ulps of the sum, relative to it, and in units of u * sum|x|.
#include <cmath>
#include <optional>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

// Errors result - S of the finite results, ascending, each divided by `unit`. In bins a result stands at its bin's
// lower edge.
std::vector<Weighted> errors(const Measurement& m, double unit) {
  std::vector<Weighted> list;
  if (m.counts.binned()) {
    const CountingFrame& frame = m.counts.frame();
    for (const ResultCounts::Bin& bin : m.counts.bins()) {
      const double edge = std::ldexp(bin.index, m.counts.bin_exponent() + frame.ulp_exponent);
      list.push_back({(edge + m.exact.difference(frame.center)) / unit, bin.count});
    }
  } else {
    for (const ResultCounts::Result& r : m.counts.results())
      if (std::isfinite(r.value)) list.push_back({m.exact.difference(r.value) / unit, r.count});
  }
  return list;
}

// With bins, moments and extremes are not read off the edges but exact.
Record error_record(const Measurement& m, std::optional<double> unit) {
  if (!unit || !m.exact.finite()) return summary_record({});
  const std::vector<Weighted> list = errors(m, *unit);
  Record from_list = summary_record(list);
  const auto extremes = m.counts.extremes();
  if (!m.counts.binned() || !extremes) return from_list;
  const double min = m.exact.difference(extremes->min) / *unit;
  const double max = m.exact.difference(extremes->max) / *unit;
  const auto n = m.counts.finite();
  const double offset = m.exact.difference(m.counts.frame().center);
  Record record;
  record.set("min", Field(min));
  record.set("max", Field(max));
  record.set("mean",
             Field((m.counts.sum().value().to_double() / static_cast<double>(n) + offset) / *unit));
  const auto sd = standard_deviation(m.counts.sum(), m.counts.sum_of_squares(), n);
  record.set("sd", sd ? std::optional(*sd / *unit) : std::nullopt);
  record.set("max_abs", Field(std::max(std::fabs(min), std::fabs(max))));
  record.set("quantiles", *as_record(*from_list.find({"quantiles"})));
  return record;
}

Field measure(const Measurement& m) {
  std::optional<double> ulp;
  std::optional<double> magnitude;
  std::optional<double> scaled;
  if (m.exact.finite()) {
    ulp = std::ldexp(1.0, m.counts.frame().ulp_exponent);
    const double s = std::fabs(m.exact.to_double());
    if (s > 0) magnitude = s;
    const double u_sum_abs = info(m.evaluator.formats().accumulate).unit_roundoff() * m.sum_abs.to_double();
    if (u_sum_abs > 0) scaled = u_sum_abs;
  }
  Record record;
  record.set("ulp", error_record(m, ulp));
  record.set("relative", error_record(m, magnitude));
  record.set("u_sum_abs", error_record(m, scaled));
  return std::vector<Record>{std::move(record)};
}

}  // namespace

extern const Metric kError;
const Metric kError{
    .name = "error",
    .unit = "ulp of the exact sum; relative; u * sum|x|",
    .summary = "forward error of the results; for an exact sum of 0 an ulp is the smallest subnormal and relative is null",
    .source = "[Higham2002]; quantiles with 95 % intervals of order statistics [David2003]",
    .measure = measure,
};

}  // namespace orderlab
