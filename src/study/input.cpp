#include "orderlab/study/input.hpp"

#include <cmath>

namespace orderlab::study {

namespace {

std::uint64_t infinite_terms(const TermView& view) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < view.n; ++i) count += std::isinf(view.left(i)) ? 1U : 0U;
  return count;
}

}  // namespace

void describe(Input& input) {
  const TermView view = input.terms.view();
  input.facts.n = view.n;
  input.facts.products = view.products();
  input.facts.inexact_conversions = input.terms.inexact_conversions();
  input.facts.hash = input.terms.hash();
  input.facts.exact = exact_sum(view);
  input.facts.sum_abs = exact_sum_abs(view);
  const bool generated = !input.facts.distribution.empty();
  if (generated && !input.facts.exact.finite()) input.facts.overflowed_terms = infinite_terms(view);
}

}  // namespace orderlab::study
