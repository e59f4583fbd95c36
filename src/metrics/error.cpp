// Error of the results against the exact sum: in ulps of the sum, relative to it, and in units of u * sum|x|.
#include <cmath>
#include <optional>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "metrics/error_units.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

// Errors result - S of the finite results, ascending. In bins a result stands at its bin's lower edge.
std::vector<Weighted> errors(const Measurement& m) {
  std::vector<Weighted> list;
  if (!m.exact.finite()) return list;
  if (m.counts.binned()) {
    const CountingFrame& frame = m.counts.frame();
    for (const ResultCounts::Bin& bin : m.counts.bins()) {
      const double edge = std::ldexp(bin.index, m.counts.bin_exponent() + frame.ulp_exponent);
      list.push_back({edge + m.exact.difference(frame.center), bin.count});
    }
  } else {
    for (const ResultCounts::Result& r : m.counts.results())
      if (std::isfinite(r.value)) list.push_back({m.exact.difference(r.value), r.count});
  }
  return list;
}

// With bins, moments and extremes are not read off the edges but exact.
Record error_record(const Measurement& m, std::vector<Weighted> list, const std::optional<ErrorUnit>& unit) {
  if (!unit) return record_of({});
  for (Weighted& error : list) error.value = unit->of(error.value);
  Summary summary = summary_of(list);
  const auto extremes = m.counts.extremes();
  if (!m.counts.binned() || !extremes) return record_of(summary);
  const auto n = m.counts.finite();
  const double offset = m.exact.difference(m.counts.frame().center);
  summary.min = unit->of(m.exact.difference(extremes->min));
  summary.max = unit->of(m.exact.difference(extremes->max));
  summary.mean = unit->of(m.counts.sum().value().to_double() / static_cast<double>(n) + offset);
  const auto sd = standard_deviation(m.counts.sum(), m.counts.sum_of_squares(), n);
  summary.sd = sd ? std::optional(unit->of(*sd)) : std::nullopt;
  return record_of(summary);
}

Field measure_error(const Measurement& m) {
  const ErrorUnits units(m.exact, m.sum_abs, m.evaluator.formats());
  const std::vector<Weighted> list = errors(m);
  Record record;
  record.set("ulp", error_record(m, list, units.ulp));
  record.set("relative", error_record(m, list, units.relative));
  record.set("u_sum_abs", error_record(m, list, units.u_sum_abs));
  return std::vector<Record>{std::move(record)};
}

}  // namespace

extern const Metric kError;
const Metric kError{
    .name = "error",
    .unit = "ulp of the exact sum; relative; u * sum|x|",
    .summary =
        "forward error of the results; for an exact sum of 0 an ulp is the smallest subnormal and relative is null",
    .source = "[Higham2002]; quantiles with 95 % intervals of order statistics [David2003]",
    .measure = measure_error,
};

}  // namespace orderlab
