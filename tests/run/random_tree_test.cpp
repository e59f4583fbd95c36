// The stage `tree` against Remy's algorithm with pointers, one draw after the other.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
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

/// Writes the additions down; a partial sum is its first leaf.
struct Additions {
  using Value = std::uint64_t;
  std::vector<std::pair<Value, Value>> all;

  Value add(Value left, Value right) {
    all.emplace_back(left, right);
    return left;
  }
};

template <class Index>
std::vector<std::pair<std::uint64_t, std::uint64_t>> additions_of_tree(std::size_t leaves, const RandomStream& stream) {
  StepMemory memory;
  std::vector<std::uint64_t> numbers(leaves);
  std::iota(numbers.begin(), numbers.end(), 0u);
  Additions additions;
  PlaneTree<Index>(leaves, stream, memory).sum(std::span<const std::uint64_t>(numbers), additions);
  return additions.all;
}

/// The sum of the leaves from `next` on below a node, and its height; adds u |sum| of each inner node to `linear`.
std::pair<double, std::uint64_t> sum_below(const std::vector<Node>& nodes, int node, const double*& next,
                                           double& linear) {
  const auto& [left, right] = nodes[static_cast<std::size_t>(node)];
  if (left < 0) return {*next++, 0};
  const auto [a, height_a] = sum_below(nodes, left, next, linear);
  const auto [b, height_b] = sum_below(nodes, right, next, linear);
  linear += std::abs(a + b) * 0x1p-53;
  return {a + b, std::max(height_a, height_b) + 1};
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

TEST_CASE("the sum of a drawn tree, its height and its error terms are those of Remy's tree, node by node") {
  std::vector<double> terms;
  constexpr std::size_t kLarge = (std::size_t{1} << 17) + 1;  // more than one piece of the loops that can be stopped
  for (int i = 0; i < static_cast<int>(kLarge); ++i)
    terms.push_back(std::ldexp(i % 3 == 0 ? -1.0 - i : 1.0 + i, i % 29 - 14));
  for (std::size_t n = 1; n <= kLarge; n = n < 140 ? n + 1 : n < 3000 ? n + 311 : n < kLarge ? kLarge : n + 1) {
    CAPTURE(n);
    const auto evaluator = Evaluator::make(parse_order("tree"), view_of(terms.data(), n), {}, 7);
    const auto scratch = evaluator->make_scratch();
    for (const std::uint64_t sample : {0u, 1u, 77u}) {
      CAPTURE(sample);
      const double* next = terms.data();
      double linear = 0;
      const auto [sum, height] = sum_below(remy(n, RandomStream(7, streams::kFirstStage, sample)), 0, next, linear);
      const Evaluation evaluation = evaluator->evaluate(sample, *scratch);
      CHECK(evaluation.bits == std::bit_cast<std::uint64_t>(sum));
      CHECK(evaluation.height == height);
      CHECK(evaluation.error.linear == linear);
      CHECK(evaluation.error.roundings == n - 1);
    }
  }
}
