#include "report/tolerance_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "orderlab/bounds.hpp"
#include "report/input_text.hpp"

namespace orderlab {

bool has_limit(const ToleranceReport& report) { return std::isfinite(report.limit.absolute); }

std::string why_no_rtol(const ToleranceReport& report) {
  if (!has_limit(report)) return "no finite tolerance";
  if (std::isinf(report.limit.relative))
    return report.against == Against::exact ? "the reference can be 0" : "a result can be 0";
  if (report.limit.relative >= 1)
    return fmt::format("{} is 1 or more, so even a result of 0 would pass: the sum cancels (condition number {})",
                       number(report.limit.relative, 2), number(report.condition, 3));
  return {};
}

std::string why_no_ulp(const ToleranceReport& report) {
  if (!has_limit(report)) return "no finite tolerance";
  return std::isinf(report.limit.ulp) ? "an exact sum of 0 has no ulp" : "";
}

std::string method_in_words(const ToleranceReport& report) {
  switch (report.method) {
    case ToleranceMethod::one_order:
      return "the one result of a fixed order";
    case ToleranceMethod::enumerated:
      return "exact enumeration of " + shortened(report.orders) + (report.orders == "1" ? " order" : " orders");
    default:
      return fmt::format("order statistic: rank {} from the top of {} independent {}{}", report.rank, report.draws,
                         report.against == Against::run ? "pairs of orders" : "orders",
                         report.inputs > 1 ? ", each on its own input" : "");
  }
}

double stated_confidence(const ToleranceReport& report) {
  return report.method == ToleranceMethod::sampled ? report.confidence : 1;
}

std::vector<BesideBound> bounds_beside(const DeviationTally& runs, const Formats& formats, std::uint64_t n,
                                       double sum_abs, Against against) {
  const double factor = against == Against::run ? 2 : 1;
  const bool overflowed = runs.nonfinite() > 0;
  std::vector<BesideBound> list;
  for (const Bound& bound : all_bounds(runs.bounds, overflowed, formats.accumulate, n, sum_abs)) {
    std::optional<double> value = bound.value;
    if (value) *value = overflowed ? std::numeric_limits<double>::infinity() : factor * *value;
    // Each of two runs may miss its own bound.
    const double together = bound.probability ? 1 - factor * (1 - *bound.probability) : 1;
    list.push_back({std::string(bound.symbol), value, together, std::string(bound.statement)});
  }
  return list;
}

}  // namespace orderlab
