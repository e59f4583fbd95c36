#include "probe/tree_shape.hpp"

#include <algorithm>
#include <array>

#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

using Node = TreeShape::Node;

// A key of each subtree's set of leaves: equal trees have equal sets of keys, others do so with probability 2^-64 or
// so.
std::vector<std::uint64_t> keys_of(const TreeShape& shape) {
  std::vector<std::uint64_t> keys(shape.node_count(), 0);
  for (Node leaf = 0; leaf < shape.leaf_count(); ++leaf) {
    std::uint64_t z = (leaf + 1) * 0x9e3779b97f4a7c15;  // splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    keys[leaf] = z ^ (z >> 31);
  }
  for (Node node = 0; node < shape.node_count(); ++node)
    if (const Node above = shape.parent(node); above != TreeShape::kNone) keys[above] += keys[node];
  return keys;
}

}  // namespace

std::span<const Node> TreeShape::children(Node node) const {
  if (leaf(node)) return {};
  const std::size_t inner = node - leaves_;
  return std::span(children_).subspan(begins_[inner], begins_[inner + 1] - begins_[inner]);
}

Node TreeShape::join(std::span<const Node> children) {
  const Node node = static_cast<Node>(node_count());
  std::size_t size = 0;
  for (const Node child : children) {
    children_.push_back(child);
    parents_[child] = node;
    size += sizes_[child];
  }
  begins_.push_back(children_.size());
  sizes_.push_back(size);
  parents_.push_back(kNone);
  return node;
}

TreeShape TreeShape::of(const SummationTree& tree) {
  TreeShape shape(tree.term_count());
  std::vector<Node> at(tree.node_count());  // node of the shape
  for (Node leaf = 0; leaf < tree.term_count(); ++leaf) at[leaf] = leaf;
  std::vector<Node> below;
  for (SummationTree::Node node = tree.term_count(); node < tree.node_count(); ++node) {
    below.clear();
    for (const auto child : tree.children(node)) below.push_back(at[child]);
    const Operation operation = tree.operation(node);
    if (below.size() == 1) {
      at[node] = below.front();
    } else if (operation == Operation::kahan || operation == Operation::fma) {
      at[node] = below.front();
      for (std::size_t i = 1; i < below.size(); ++i) at[node] = shape.join(std::array{at[node], below[i]});
    } else {
      at[node] = shape.join(below);
    }
  }
  return shape;
}

std::vector<Node> TreeShape::leaf_of_each() const {
  std::vector<Node> leaf(node_count());
  for (Node node = 0; node < node_count(); ++node) leaf[node] = node < leaves_ ? node : leaf[children(node)[0]];
  return leaf;
}

std::size_t TreeShape::smallest_subtree(Node a, Node b) const {
  while (a != b) {  // numbers grow upwards
    Node& lower = a < b ? a : b;
    lower = parents_[lower];
  }
  return sizes_[a];
}

bool operator==(const TreeShape& a, const TreeShape& b) {
  if (a.leaf_count() != b.leaf_count() || a.node_count() != b.node_count()) return false;
  auto of_a = keys_of(a);
  auto of_b = keys_of(b);
  std::sort(of_a.begin(), of_a.end());
  std::sort(of_b.begin(), of_b.end());
  return of_a == of_b;
}

SummationTree tree_of(const TreeShape& shape, const TreeArithmetic& arithmetic) {
  SummationTree tree(shape.leaf_count());
  std::vector<SummationTree::Node> at(shape.node_count());
  const Format format = arithmetic.formats.accumulate;
  for (Node node = 0; node < shape.node_count(); ++node) {
    at[node] = node;
    if (shape.leaf(node)) continue;
    if (shape.children(node).size() > 2) {
      std::vector<SummationTree::Node> all;
      for (const Node child : shape.children(node)) all.push_back(at[child]);
      at[node] = tree.add(Operation::add, format, all);
      continue;
    }
    std::array<SummationTree::Node, 2> both{at[shape.children(node)[0]], at[shape.children(node)[1]]};
    const auto fused = [&](SummationTree::Node child) {
      return !arithmetic.fused.empty() && tree.leaf(child) && arithmetic.fused[child];
    };
    if (fused(both[0])) std::swap(both[0], both[1]);  // a fused product comes after what it is added to
    at[node] = tree.add(fused(both[1]) ? Operation::fma : Operation::add, format, both);
  }
  SummationTree::Node root = at.back();
  if (arithmetic.formats.result != format || tree.leaf(root))
    root = tree.add(Operation::round, arithmetic.formats.result, std::array{root});
  tree.set_roots({root});
  return tree;
}

}  // namespace orderlab
