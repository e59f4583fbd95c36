// A summation tree as CSV.
#pragma once

#include <string>

#include "orderlab/term_view.hpp"
#include "orderlab/tree.hpp"

namespace orderlab {

/// One row a node, terms first: node,operation,format,children,value,bits; children separated by spaces.
///
/// Shape: terms.n == tree.term_count(), else Error(usage).
std::string tree_csv(const SummationTree& tree, const TermView& terms);

}  // namespace orderlab
