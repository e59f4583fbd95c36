// A summation tree as text for a terminal, as an expression, and for Graphviz, phylogenetics tools and scripts.
#pragma once

#include <cstdint>
#include <string>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"
#include "orderlab/terms.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// The tree of one order on its terms.
struct TreeFinding {
  std::string expression;  ///< the order, canonical
  SummationTree tree;
  Terms terms;
  Format result;
};

/// Terms of a tree that a person can read as text.
inline constexpr std::uint64_t kDrawnTerms = 64;

/// The order and the height, then tree_text for at most kDrawnTerms terms; tree_json; tree_csv.
std::string to_text(const TreeFinding& finding, const TextStyle& style);
std::string to_json(const TreeFinding& finding);
std::string to_csv(const TreeFinding& finding);

/// A drawing for a terminal, root first, every line ended: `n35 add fp32 = 0x1.8p+1  (3)`, terms as `x[3] = 0.1`,
/// decimals the shortest that read back in the node's format.
///
/// A chain of additions is one list of operands in the order they were added, each with the running sum after it, so
/// that a sequential sum is not indented; the running sum may be either operand of an addition. A root in another
/// format than `result` is drawn below a line with the value rounded to that.
/// Shape: terms.n == tree.term_count(), else Error(usage). Meant for few terms: one line for almost every node.
std::string tree_text(const SummationTree& tree, const TermView& terms, Format result);

/// Parentheses around every operation: `((x0+x1)+(x2+x3))`, `(0+x0)`, `ftz(x0+x1)`, `round(x0)`, `kahan(x0,x1,x2)`.
/// One line a root, the last one not ended.
std::string tree_expression(const SummationTree& tree);

/// A Graphviz digraph, sums above their operands; leaves are boxes, roots have two rims.
///
/// Shape: terms.n == tree.term_count(), else Error(usage).
std::string tree_dot(const SummationTree& tree, const TermView& terms);

/// Newick: leaves x0, x1, ..., inner nodes n<id>. One line a root, each ends with `;`, the last line not ended.
std::string tree_newick(const SummationTree& tree);

/// JSON, all nodes in the order of their ids: { "terms", "height", "nodes": [ { "id", "operation", "format",
/// "children", "value", "bits" } ], "roots" }. A leaf has the operation "term"; one that is a product also has
/// "factors", and its value and bits are the fp64 product. Values are numbers, or "inf", "-inf", "nan".
///
/// Shape: terms.n == tree.term_count(), else Error(usage).
std::string tree_json(const SummationTree& tree, const TermView& terms);

/// CSV, one row a node, terms first: node,operation,format,children,value,bits; children separated by spaces.
///
/// Shape: terms.n == tree.term_count(), else Error(usage).
std::string tree_csv(const SummationTree& tree, const TermView& terms);

}  // namespace orderlab
