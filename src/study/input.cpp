#include "orderlab/study/input.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "engine/arena.hpp"
#include "orderlab/error.hpp"
#include "reference/exact_terms.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

std::uint64_t infinite_terms(const TermView& view) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < view.n; ++i) count += std::isinf(view.left(i)) ? 1U : 0U;
  return count;
}

// The hash and the exact sums: all that needs a pass over the terms. Parts of them at once, both sums of a part while
// it is in a near cache.
void measure(const Terms& terms, int threads, const Watch& watch, InputFacts& facts) {
  const WatchedWork work(watch, "exact sum");
  constexpr std::size_t kPart = std::size_t{1} << 17;
  constexpr std::size_t kWorthThreads = 8;
  struct Sums {
    ExactSum exact;
    ExactSum absolute;
  };
  const TermView view = terms.view();
  std::vector<Sums> sums((view.n + kPart - 1) / kPart);
  const Loop loop = sums.size() < kWorthThreads ? Loop(serial_loop) : loop_on(threads);
  Pass pass(view.n);
  loop(1 + sums.size(), [&](std::size_t i) {
    if (i == 0) {
      facts.hash = terms.hash();
      return;
    }
    const std::size_t begin = (i - 1) * kPart;
    const TermView part = view.part(begin, std::min(kPart, view.n - begin));
    add_terms(sums[i - 1].exact, part, false);
    add_terms(sums[i - 1].absolute, part, true);
    pass.did(part.n);
  });
  for (std::size_t i = 1; i < sums.size(); ++i) {
    sums[0].exact.merge(sums[i].exact);
    sums[0].absolute.merge(sums[i].absolute);
  }
  facts.exact = sums[0].exact.value();
  facts.sum_abs = sums[0].absolute.value();
}

// Fills in what the terms themselves tell: n, products, conversions, hash, exact sums.
Input described(Terms terms, InputFacts facts, int threads, const Watch& watch) {
  const TermView view = terms.view();
  facts.n = view.n;
  facts.products = view.products();
  facts.inexact_conversions = terms.inexact_conversions();
  measure(terms, threads, watch, facts);
  const bool generated = !facts.distribution.empty();
  if (generated && !facts.exact.finite()) facts.overflowed_terms = infinite_terms(view);
  return {std::move(terms), std::move(facts)};
}

}  // namespace

Input generated_input(const GeneratedTerms& what, const Watch& watch) {
  const FloatEnvironment environment;
  require_memory(static_cast<double>(what.n) * static_cast<double>(info(what.formats.terms).held_bytes()));
  InputFacts facts;
  facts.formats = what.formats;
  facts.distribution = canonical_distribution(what.distribution);
  facts.input_seed = what.seed;
  facts.input_number = what.number;
  Terms terms = in_stage(watch, "generating terms", [&] {
    return generate_terms(what.distribution, what.n, what.formats.terms, what.seed, what.number, loop_on(what.threads));
  });
  return described(std::move(terms), std::move(facts), what.threads, watch);
}

Input given_input(Terms terms, int threads, const Watch& watch) {
  const FloatEnvironment environment;
  const Format own = terms.format();
  return given_input(std::move(terms), formats_of_terms(own), threads, watch);
}

Input given_input(Terms terms, const Formats& formats, int threads, const Watch& watch) {
  const FloatEnvironment environment;
  if (terms.format() != formats.terms)
    throw RequestError("formats", to_string(formats),
                       "but the terms are " + std::string(info(terms.format()).name) + "; give terms of that format");
  InputFacts facts;
  facts.formats = formats;
  return described(std::move(terms), std::move(facts), threads, watch);
}

Input given_input(const std::vector<double>& numbers, const Formats& formats) {
  const FloatEnvironment environment;
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
