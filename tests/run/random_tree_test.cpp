// The stage `tree` against Remy's algorithm with pointers, one draw after the other.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "order/pipelines.hpp"
#include "run/plane_tree.hpp"
#include "vectors/permutation.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

struct Node {
  int left = -1;  ///< -1: a leaf
  int right = -1;
};

/// Step k puts a new inner node, of a new leaf and the node drawn, where that node was.
std::vector<Node> remy(std::size_t leaves, const RandomStream& stream) {
  std::vector<Node> nodes(1);
  WordReader words(stream);
  for (std::uint32_t k = 1; k < leaves; ++k) {
    const std::uint32_t pick = words.below(2 * (2 * k - 1), k - 1);
    nodes.push_back(nodes[pick / 2]);
    nodes.push_back({});
    const int moved = static_cast<int>(2 * k - 1);
    nodes[pick / 2] = pick % 2 == 0 ? Node{moved, moved + 1} : Node{moved + 1, moved};
  }
  return nodes;
}

std::string text_of_nodes(const std::vector<Node>& nodes, int node, int& next_leaf) {
  const auto& [left, right] = nodes[static_cast<std::size_t>(node)];
  if (left < 0) return std::to_string(next_leaf++);
  const std::string first = text_of_nodes(nodes, left, next_leaf);
  return "(" + first + "+" + text_of_nodes(nodes, right, next_leaf) + ")";
}

template <class Index>
std::vector<std::pair<std::uint64_t, std::uint64_t>> additions_of_tree(std::size_t leaves, const RandomStream& stream) {
  StepMemory memory;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> additions;
  PlaneTree<Index>(leaves, stream, memory).visit_additions([&](Index left, Index right) {
    additions.emplace_back(left, right);
  });
  return additions;
}

}  // namespace

TEST_CASE("a tree with indices of 64 bits is the one with 32") {
  for (std::size_t n = 1; n <= 3000; n += n < 140 ? 1 : 311) {
    CAPTURE(n);
    const RandomStream stream(5, streams::kFirstStage, n);
    const auto additions = additions_of_tree<std::uint32_t>(n, stream);
    CHECK(additions.size() == n - 1);
    CHECK(additions == additions_of_tree<std::uint64_t>(n, stream));
  }
}

TEST_CASE("tree draws the tree that Remy's algorithm does and adds it in post-order") {
  const std::vector<double> ones(2000, 1);
  for (std::size_t n = 1; n <= 2000; n += n < 100 ? 1 : 211) {
    CAPTURE(n);
    const auto evaluator = Evaluator::make(parse_order("tree"), view_of(ones.data(), n), {}, 3);
    for (const std::uint64_t sample : {0u, 1u, 77u}) {
      CAPTURE(sample);
      const SummationTree tree = evaluator->tree(sample);
      int next_leaf = 0;
      CHECK(testing::text_of(tree) ==
            text_of_nodes(remy(n, RandomStream(3, streams::kFirstStage, sample)), 0, next_leaf));
      if (n == 1) continue;
      // Post-order: a right child that is an inner node was made just before its parent; else the left one was, if it
      // is.
      for (SummationTree::Node node = n; node < tree.node_count(); ++node) {
        const auto children = tree.children(node);
        for (const std::size_t side : {1u, 0u}) {
          if (tree.leaf(children[side])) continue;
          CHECK(children[side] == node - 1);
          break;
        }
      }
    }
  }
}
