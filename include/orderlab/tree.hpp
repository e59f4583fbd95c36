// Summation trees: every addition of one sum, written out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// What an inner node does with its children, every result rounded to the node's format.
enum class Operation : std::uint8_t {
  add,        ///< a + b
  add_ftz,    ///< a + b, subnormal operands and results flushed to signed zero (fp32 global atomics)
  start,      ///< +0.0 + a
  start_ftz,  ///< +0.0 + a with flushing
  round,      ///< a, or a product, rounded to the node's format
  kahan,      ///< the children in turn, compensated after Kahan
  neumaier,   ///< the children in turn, compensated after Neumaier
  fma,        ///< products fused in turn into the first child if that is an inner node, else all into +0.0
};

constexpr std::string_view name_of(Operation operation) {
  constexpr std::string_view kNames[] = {"add", "add_ftz", "start", "start_ftz", "round", "kahan", "neumaier", "fma"};
  return kNames[static_cast<std::size_t>(operation)];
}

/// Leaf i is node i (the term, or the product, number i); inner nodes are n, n + 1, ... in the order they were made.
class SummationTree {
 public:
  using Node = std::uint64_t;

  explicit SummationTree(std::uint64_t term_count) : term_count_(term_count) {}

  std::uint64_t term_count() const { return term_count_; }
  std::uint64_t node_count() const { return term_count_ + inner_.size(); }
  bool leaf(Node node) const { return node < term_count_; }
  Operation operation(Node node) const { return inner_[node - term_count_].operation; }
  Format format(Node node) const { return inner_[node - term_count_].format; }
  std::span<const Node> children(Node node) const;

  /// Appends an inner node; its children must exist.
  Node add(Operation operation, Format format, std::span<const Node> children);

  std::span<const Node> roots() const { return roots_; }
  void set_roots(std::vector<Node> roots) { roots_ = std::move(roots); }

  /// Additions on the longest path from a leaf to a root.
  std::uint64_t height() const;

 private:
  struct Inner {
    Operation operation;
    Format format;
    std::uint64_t first_child;
    std::uint64_t child_count;
  };
  std::uint64_t term_count_;
  std::vector<Inner> inner_;
  std::vector<Node> children_;
  std::vector<Node> roots_;
};

/// Values of all nodes, leaves first, each exact as a double (a leaf that is a product: its factors' product in fp64).
///
/// A second way to evaluate an order, node by node from the tree alone; tests compare pipelines with it.
/// Shape: terms.n == tree.term_count(), else Error(usage).
std::vector<double> evaluate(const SummationTree& tree, const TermView& terms);

}  // namespace orderlab
