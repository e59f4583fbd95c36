#include "study/any_order_results.hpp"

#include <cmath>

#include "core/stop.hpp"
#include "metrics/terms_bound.hpp"
#include "reference/lattice.hpp"
#include "run/matrix_units.hpp"

namespace orderlab::study {

AnyOrderResults::AnyOrderResults(const Input& input) : facts_(input.facts) {
  const Lattice lattice = lattice_of(input.terms.view());
  const Format accumulate = facts_.formats.accumulate;
  const FormatInfo kept = kept_by_matrix_units(accumulate, facts_.formats.terms, facts_.products);
  double raised = 0;
  if (facts_.products)
    stoppable_loop(0, facts_.n, [&](std::size_t i) {
      raised += raised_by_subnormals(input.terms.view().left(i), input.terms.view().right(i), facts_.formats.terms);
    });
  constexpr double kSumsRoundings = 1 + 0x1p-20;  // more than those of as many additions as there may be terms
  one_ = raised == 0 && facts_.exact.finite() && lattice.no_order_rounds(kept, accumulate == Format::fp32);
  bound_ =
      terms_bound(facts_.formats, facts_.n, facts_.products, facts_.exact, facts_.sum_abs, raised * kSumsRoundings);
}

bool AnyOrderResults::may_be(double low, double high) const {
  const double exact = value_of_bits(facts_.formats.result, facts_.exact.round_to(facts_.formats.result));
  if (!facts_.exact.finite()) return std::isnan(low) || low == exact || high == exact;
  if (one_) return low <= exact && exact <= high;
  // The bound is on a difference, rounded once. `exact` itself is within it where the result format is no wider than
  // the sums.
  const auto within = [&](double x) {
    return std::isfinite(x) ? std::fabs(facts_.exact.difference(x)) * (1 - 0x1p-52) <= bound_ : std::isinf(bound_);
  };
  return within(low) || within(high) || (low <= exact && exact <= high);
}

}  // namespace orderlab::study
