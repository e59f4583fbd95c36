#include "study/tolerance_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/arithmetic_guard.hpp"
#include "orderlab/bounds.hpp"
#include "run/product.hpp"

namespace orderlab::study {

namespace {

// The bounds of each result that a comparison takes, in one list for each.
std::vector<std::vector<Bound>> bounds_of_results(const DeviationTally& runs, const ComparedSums& sums,
                                                  double sum_abs) {
  const auto bounds_of = [&](const LargestBounds& seen, const Formats& formats, const Plan* plan) {
    std::vector<Bound> bounds = all_bounds(seen, runs.nonfinite() > 0, formats.accumulate, sums.n, sum_abs);
    if (plan != nullptr && plan->changes_format())
      bounds[static_cast<std::size_t>(BoundKind::gamma)].value = gamma_bound_of(*plan, sum_abs, seen.extra);
    return bounds;
  };
  std::vector<std::vector<Bound>> all{bounds_of(runs.bounds, sums.formats, sums.plan)};
  if (sums.against == Against::run) all.push_back(all.front());
  if (sums.other) all.push_back(bounds_of(runs.other_bounds, *sums.other, sums.other_plan));
  return all;
}

// a + b, rounded upward.
double sum_above(double a, double b) {
  const auto [sum, rest] = detail::two_sum(a, b);
  return rest > 0 ? std::nextafter(sum, std::numeric_limits<double>::infinity()) : sum;
}

// Whether terms of this format are added, and their sum is given, in it.
bool one_format(const Formats& formats) {
  return formats.terms == formats.accumulate && formats.terms == formats.result;
}

}  // namespace

std::vector<BesideBound> bounds_beside(const DeviationTally& runs, const ComparedSums& sums, double sum_abs) {
  std::vector<BesideBound> list;
  for (const std::vector<Bound>& of_result : bounds_of_results(runs, sums, sum_abs))
    for (std::size_t i = 0; i < of_result.size(); ++i) {
      const Bound& bound = of_result[i];
      if (i < list.size()) {  // of the second result, and each may miss its own
        list[i].value =
            list[i].value && bound.value ? std::optional(sum_above(*list[i].value, *bound.value)) : std::nullopt;
        if (bound.probability) list[i].probability -= 1 - *bound.probability;
        continue;
      }
      const bool proven = !bound.probability && bound.scope == BoundScope::every_order;  // others are of the runs drawn
      list.push_back({std::string(bound.symbol), bound.value, bound.probability.value_or(1), proven,
                      std::string(bound.statement), bound.scope});
    }
  if (runs.nonfinite() > 0)
    for (BesideBound& bound : list)
      if (bound.value) bound.value = std::numeric_limits<double>::infinity();
  return list;
}

std::vector<BesideBound> bounds_beside_inputs(const DeviationTally& runs, const ComparedSums& sums,
                                              std::optional<double> largest_term) {
  std::vector<BesideBound> list = bounds_beside(runs, sums, runs.sum_abs());
  const double sum_abs = static_cast<double>(sums.n) * largest_term.value_or(0);
  const bool no_conversion = one_format(sums.formats) && (!sums.other || one_format(*sums.other));
  const std::vector<BesideBound> of_all = bounds_beside(runs, sums, sum_abs);
  for (std::size_t i = 0; i < list.size(); ++i) {
    BesideBound& bound = list[i];
    const std::optional<double> value = of_all[i].value;
    const bool bounded = largest_term && no_conversion && value &&
                         sum_abs + *value <= std::ldexp(1.0, info(sums.formats.accumulate).e_max);  // no overflow
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

}  // namespace orderlab::study
