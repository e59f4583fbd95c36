#include "experiment/input.hpp"

#include <cmath>

namespace orderlab {

namespace {

std::uint64_t infinite_terms(const TermView& view) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < view.n; ++i) count += std::isinf(view.left(i)) ? 1U : 0U;
  return count;
}

}  // namespace

void describe(Input& input) {
  const TermView view = input.terms.view();
  input.report.n = view.n;
  input.report.products = view.products();
  input.report.inexact_conversions = input.terms.inexact_conversions();
  input.report.hash = input.terms.hash();
  input.report.exact = exact_sum(view);
  input.report.sum_abs = exact_sum_abs(view);
  const bool generated = !input.report.distribution.empty();
  if (generated && !input.report.exact.finite()) input.report.overflowed_terms = infinite_terms(view);
}

}  // namespace orderlab
