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
      return "exact enumeration of " + report.orders + (report.orders == "1" ? " order" : " orders");
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
  const LargestBounds& seen = runs.bounds;
  const double factor = against == Against::run ? 2 : 1;
  const auto scaled = [&](std::optional<double> bound) {
    if (bound && runs.nonfinite() > 0) bound = std::numeric_limits<double>::infinity();
    return bound ? std::optional(factor * *bound) : bound;
  };
  const auto gamma = [&](std::uint64_t height) {
    return scaled(gamma_bound(seen.plain, formats.accumulate, height, sum_abs, seen.extra));
  };
  const double together = 1 - factor * (1 - kProbability);  // each of two runs may miss its own bound
  return {{"P3", scaled(seen.probabilistic), together, "assumes random roundings"},
          {"D1", scaled(seen.running), 1, "running bound, of the orders seen"},
          {"gamma_h", gamma(seen.height), 1, fmt::format("height {}", seen.height)},
          {"gamma_n", gamma(n), 1, "naive: any order"}};
}

}  // namespace orderlab
