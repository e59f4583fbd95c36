#include "experiment/input.hpp"

namespace orderlab {

void describe(Input& input) {
  const TermView view = input.terms.view();
  input.report.n = view.n;
  input.report.products = view.products();
  input.report.inexact_conversions = input.terms.inexact_conversions();
  input.report.hash = input.terms.hash();
  input.report.exact = exact_sum(view);
  input.report.sum_abs = exact_sum_abs(view);
}

}  // namespace orderlab
