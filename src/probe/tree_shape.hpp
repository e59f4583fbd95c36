// The shape of a summation tree: which terms are added up before which, without what the additions are done in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Leaf i is node i; inner nodes have two children or more, whose order means nothing, and numbers above theirs.
class TreeShape {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = 0xffffffff;

  explicit TreeShape(std::size_t leaves) : leaves_(leaves), sizes_(leaves, 1), parents_(leaves, kNone) {}

  /// The shape of a tree with one root. Rounding and starts from zero are no nodes. Terms that Kahan's sum or fused
  /// multiply-adds take in turn are a chain of nodes; those of Neumaier's are one node.
  static TreeShape of(const SummationTree& tree);

  std::size_t leaf_count() const { return leaves_; }
  std::size_t node_count() const { return sizes_.size(); }
  bool leaf(Node node) const { return node < leaves_; }
  Node root() const { return static_cast<Node>(node_count() - 1); }
  Node parent(Node node) const { return parents_[node]; }             ///< kNone for the root
  std::size_t leaves_below(Node node) const { return sizes_[node]; }  ///< leaves of its subtree
  std::span<const Node> children(Node node) const;

  /// Appends a node above these, which have no parent yet.
  Node join(std::span<const Node> children);

  /// Some leaf of each node's subtree, always the same one.
  std::vector<Node> leaf_of_each() const;

  /// Leaves of the smallest subtree that holds both.
  std::size_t smallest_subtree(Node a, Node b) const;

  /// Whether every node has two children.
  bool binary() const { return node_count() + 1 == 2 * leaves_; }

  friend bool operator==(const TreeShape& a, const TreeShape& b);

 private:
  std::size_t leaves_;
  std::vector<std::size_t> begins_ = {0};  // where the children of each inner node begin
  std::vector<Node> children_;
  std::vector<std::size_t> sizes_;
  std::vector<Node> parents_;
};

/// What the additions of a shape are done in.
struct TreeArithmetic {
  Formats formats;
  std::vector<bool> fused = {};  ///< for each leaf: its product is fused into what it is added to; empty: none is
};

/// The tree of that shape that adds. One with nodes of more than two children is to be shown, not evaluated.
SummationTree tree_of(const TreeShape& shape, const TreeArithmetic& arithmetic);

}  // namespace orderlab
