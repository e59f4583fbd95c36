// A summation tree, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab::described {

/// A tree with the terms at its leaves.
struct TreeOfTerms {
  const SummationTree& tree;
  const TermView& terms;
};

extern const TableOf<TreeOfTerms> kTreeDocument;

}  // namespace orderlab::described
