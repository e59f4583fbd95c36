#include "show/shown_unit.hpp"

#include <cmath>

#include "show/input_text.hpp"

namespace orderlab {

ShownUnit::ShownUnit(const study::InputFacts& input) {
  const ErrorUnits units(input.exact, input.sum_abs, input.formats);
  const bool zero = input.exact.finite() && input.exact.zero() && units.u_sum_abs;
  unit_ = zero ? units.u_sum_abs : units.ulp;
  name_ = zero ? "u sum|x|" : "ulp";
  summary_ = zero ? &ErrorSummary::u_sum_abs : &ErrorSummary::ulp;
}

std::string ShownUnit::text(double error, int digits) const {
  if (!known() || std::isinf(of(error))) return number(error, digits);
  return number(of(error), digits) + " " + std::string(name_);
}

}  // namespace orderlab
