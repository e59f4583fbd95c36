#include "report/tolerance_report.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::string rank_in_words(std::uint64_t rank) {
  if (rank == 1) return "largest";
  const bool teen = rank / 10 % 10 == 1;
  const char* ending = teen || rank % 10 == 0 || rank % 10 > 3 ? "th"
                       : rank % 10 == 1                        ? "st"
                       : rank % 10 == 2                        ? "nd"
                                                               : "rd";
  return std::to_string(rank) + ending + " largest";
}

std::string method_in_words(const ToleranceReport& report) {
  switch (report.method) {
    case ToleranceMethod::one_order:
      return "the one result of a fixed order";
    case ToleranceMethod::enumerated:
      return "exact enumeration of " + shortened(report.orders) + (report.orders == "1" ? " order" : " orders");
    default:
      return fmt::format("order statistic: the {} of {} independent {}{}", rank_in_words(report.rank), report.draws,
                         report.against == Against::run ? "pairs of orders" : "orders",
                         report.new_inputs ? ", each on its own input" : "") +
             (report.outputs == 1 ? ""
                                  : fmt::format("; the {:.10g} quantile of one output",
                                                coverage_of_one(report.coverage, report.outputs)));
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
    const bool proven = !bound.probability && bound.scope == BoundScope::every_order;  // others are of the runs drawn
    list.push_back({std::string(bound.symbol), value, together, proven, std::string(bound.statement), bound.scope});
  }
  return list;
}

std::vector<BesideBound> bounds_beside_inputs(const DeviationTally& runs, const Formats& formats, std::uint64_t n,
                                              std::optional<double> largest_term, Against against) {
  std::vector<BesideBound> list = bounds_beside(runs, formats, n, runs.sum_abs(), against);
  const double sum_abs = static_cast<double>(n) * largest_term.value_or(0);
  const bool one_format = formats.terms == formats.accumulate && formats.terms == formats.result;  // no conversion
  const std::vector<BesideBound> of_all = bounds_beside(runs, formats, n, sum_abs, against);
  for (std::size_t i = 0; i < list.size(); ++i) {
    BesideBound& bound = list[i];
    const std::optional<double> value = of_all[i].value;
    const bool bounded = largest_term && one_format && value &&
                         sum_abs + *value <= std::ldexp(1.0, info(formats.accumulate).e_max);  // nothing overflows
    if (bounded && bound.proven) {
      bound.value = value;
      bound.note += ", every input";
    } else {
      bound.proven = false;
      bound.note += ", on the inputs drawn";
    }
  }
  return list;
}

bool says_no_more(const ToleranceReport& report, const BesideBound& bound) {
  return bound.probability < 1 &&
         std::any_of(report.bounds.begin(), report.bounds.end(), [&](const BesideBound& other) {
           return !(other.probability < 1) && other.scope == bound.scope && no_better(bound.value, other.value);
         });
}

}  // namespace orderlab
