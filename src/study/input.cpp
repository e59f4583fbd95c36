#include "orderlab/study/input.hpp"

#include <cmath>
#include <utility>

#include "core/memory.hpp"
#include "orderlab/error.hpp"

namespace orderlab::study {

namespace {

std::uint64_t infinite_terms(const TermView& view) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < view.n; ++i) count += std::isinf(view.left(i)) ? 1U : 0U;
  return count;
}

// Fills in what the terms themselves tell: n, products, conversions, hash, exact sums.
Input described(Terms terms, InputFacts facts) {
  const TermView view = terms.view();
  facts.n = view.n;
  facts.products = view.products();
  facts.inexact_conversions = terms.inexact_conversions();
  facts.hash = terms.hash();
  facts.exact = exact_sum(view);
  facts.sum_abs = exact_sum_abs(view);
  const bool generated = !facts.distribution.empty();
  if (generated && !facts.exact.finite()) facts.overflowed_terms = infinite_terms(view);
  return {std::move(terms), std::move(facts)};
}

}  // namespace

Input generated_input(const GeneratedTerms& what) {
  require_memory(static_cast<double>(what.n) * info(what.formats.terms).bits / 8);
  InputFacts facts;
  facts.formats = what.formats;
  facts.distribution = canonical_distribution(what.distribution);
  facts.input_seed = what.seed;
  facts.input_number = what.number;
  Terms terms = generate_terms(what.distribution, what.n, what.formats.terms, what.seed, what.number);
  return described(std::move(terms), std::move(facts));
}

Input given_input(Terms terms) {
  const Format own = terms.format();
  return given_input(std::move(terms), {own, own, own});
}

Input given_input(Terms terms, const Formats& formats) {
  if (terms.format() != formats.terms)
    throw RequestError("formats", to_string(formats),
                       "but the terms are " + std::string(info(terms.format()).name) + "; give terms of that format");
  InputFacts facts;
  facts.formats = formats;
  return described(std::move(terms), std::move(facts));
}

Input given_input(const std::vector<double>& numbers, const Formats& formats) {
  Terms terms(formats.terms, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    terms.set(i, numbers[i]);
    const double stored = value_of_bits(formats.terms, round_to_bits(formats.terms, numbers[i]));
    const bool inexact = !std::isnan(numbers[i]) && stored != numbers[i];
    terms.count_inexact(inexact ? 1 : 0);
  }
  return given_input(std::move(terms), formats);
}

}  // namespace orderlab::study
