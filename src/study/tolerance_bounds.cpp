#include "study/tolerance_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orderlab/bounds.hpp"

namespace orderlab::study {

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

}  // namespace orderlab::study
