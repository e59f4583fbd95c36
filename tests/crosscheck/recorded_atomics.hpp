// What float atomics return when they are done in an order that the model draws: read off the explicit tree, so that
// nothing here adds.
#pragma once

#include <cstdint>
#include <vector>

#include "orderlab/evaluator.hpp"

namespace orderlab::testing {

struct RecordedAtomics {
  std::uint64_t bits = 0;               ///< the sum
  std::vector<std::uint64_t> returned;  ///< by unit
};

/// The atomics of sample `sample` of an order that ends in `arrive | seq(acc=atomic)` or `arrive | seq(from=zero)`.
inline RecordedAtomics recorded_atomics(const Evaluator& evaluator, const TermView& terms, std::uint64_t sample) {
  const SummationTree tree = evaluator.tree(sample);
  const std::vector<double> values = evaluate(tree, terms);
  const Format format = evaluator.formats().accumulate;
  const std::vector<std::uint32_t> arrival = evaluator.arrival(sample);
  RecordedAtomics recorded{round_to_bits(format, values[tree.roots()[0]]), {}};
  recorded.returned.resize(arrival.size());
  // The last nodes are the additions to the cell, in turn, the root last; the first of them starts from +0.0.
  const SummationTree::Node first = tree.node_count() - arrival.size();
  recorded.returned[arrival[0]] = round_to_bits(format, 0.0);
  for (std::size_t k = 1; k < arrival.size(); ++k)
    recorded.returned[arrival[k]] = round_to_bits(format, values[first + k - 1]);
  return recorded;
}

}  // namespace orderlab::testing
