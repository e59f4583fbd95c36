// What holds for an order on its terms whatever both are: the ways to evaluate it agree.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"

namespace orderlab::fuzz {

/// `one` is the sum of its explicit tree, and within its running bound.
inline void require_tree_agrees(const Evaluator& evaluator, const TermView& terms, std::uint64_t sample,
                                const Evaluation& one) {
  const SummationTree tree = evaluator.tree(sample);
  require(tree.roots().size() == 1, "a tree has one root");
  const double root = evaluate(tree, terms)[tree.roots()[0]];
  require_equal("a pipeline's sum and its tree's", one.bits, round_to_bits(evaluator.formats().result, root));
  require_equal("a pipeline's height and its tree's", one.height, tree.height());
  require(evaluator.constant_height().value_or(one.height) == one.height, "a constant height is every sample's");
  const auto bound = running_bound(one.error);
  const ExactValue exact = exact_sum(terms);
  if (bound && std::isfinite(one.value) && exact.finite())
    require(std::fabs(exact.difference(one.value)) <= *bound, "the error is within the running bound");
}

/// evaluate, evaluate_all and the tree agree on a few samples. Error where the order does not fit the terms.
inline void require_evaluations_agree(const Order& order, const TermView& terms, const Formats& formats,
                                      std::uint64_t seed) {
  const auto evaluator = Evaluator::make(order, terms, formats, seed);
  const auto scratch = evaluator->make_scratch();
  std::array<Evaluation, Evaluator::kTogether + 1> together;
  const std::uint64_t first = seed % 3;
  evaluator->evaluate_all(first, together, *scratch);
  for (std::uint64_t i = 0; i < together.size(); i += order.random() ? 4 : together.size()) {
    const Evaluation one = evaluator->evaluate(first + i, *scratch);
    require_equal("evaluate's sum and evaluate_all's", one.bits, together[i].bits);
    require_equal("evaluate's height and evaluate_all's", one.height, together[i].height);
    require_equal("a sum's bits and its value's", one.bits, round_to_bits(formats.result, one.value));
    require_tree_agrees(*evaluator, terms, first + i, one);
  }
}

}  // namespace orderlab::fuzz
