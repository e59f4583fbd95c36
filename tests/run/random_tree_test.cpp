// The stage `tree` against Remy's algorithm with pointers, one draw after the other.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
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

/// The sum of the leaves from `next` on below a node, and its height; notes each inner node's sum for the error bounds.
template <class T>
std::pair<T, std::uint64_t> sum_below(const std::vector<Node>& nodes, int node, const T*& next, RunningError& error) {
  const auto& [left, right] = nodes[static_cast<std::size_t>(node)];
  if (left < 0) return {*next++, 0};
  const auto [a, height_a] = sum_below(nodes, left, next, error);
  const auto [b, height_b] = sum_below(nodes, right, next, error);
  const T sum = a + b;
  const double roundoff = std::abs(double{sum}) * double{std::numeric_limits<T>::epsilon() / 2};
  error.linear += roundoff;
  error.square += (roundoff * error.scale) * (roundoff * error.scale);
  ++error.roundings;
  return {sum, std::max(height_a, height_b) + 1};
}

/// Numbers of many magnitudes and both signs, with zeros of both.
template <class T>
std::vector<T> numbers_of_tree(std::size_t n) {
  std::vector<T> numbers;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    const double magnitude = i % 11 == 0 ? 0.0 : std::ldexp(1.0 + i / 7.0, i % 29 - 14);
    numbers.push_back(static_cast<T>(i % 3 == 0 ? -magnitude : magnitude));
  }
  return numbers;
}

template <class T>
void check_against_remy(const std::vector<T>& terms) {
  CAPTURE(terms.size());
  const Format format = kFormatOf<T>;
  const auto evaluator =
      Evaluator::make(parse_order("tree"), view_of(terms.data(), terms.size()), {format, format, format}, 7);
  const auto scratch = evaluator->make_scratch();
  for (const std::uint64_t sample : {0u, 1u, 77u}) {
    CAPTURE(sample);
    const Evaluation evaluation = evaluator->evaluate(sample, *scratch);
    RunningError error{.scale = evaluation.error.scale};
    const T* next = terms.data();
    const auto [sum, height] =
        sum_below(remy(terms.size(), RandomStream(7, streams::kFirstStage, sample)), 0, next, error);
    CHECK(evaluation.bits == std::bit_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(sum));
    CHECK(evaluation.height == height);
    CHECK(evaluation.error.linear == error.linear);
    CHECK(evaluation.error.square == error.square);
    CHECK(evaluation.error.roundings == error.roundings);
  }
}

template <class T>
void check_trees_against_remy() {
  constexpr std::size_t kLarge = (std::size_t{1} << 17) + 1;  // more than one piece of the loops that can be stopped
  for (std::size_t n = 1; n <= kLarge; n = n < 140 ? n + 1 : n < 3000 ? n + 311 : n < kLarge ? kLarge : n + 1) {
    std::vector<T> terms = numbers_of_tree<T>(n);
    check_against_remy(terms);
    terms[n / 2] = std::numeric_limits<T>::infinity();
    check_against_remy(terms);
    if (n < 140) check_against_remy(std::vector<T>(n, T(-0.0)));
  }
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
  check_trees_against_remy<double>();
  check_trees_against_remy<float>();
  std::vector<double> large = numbers_of_tree<double>(1000);
  for (double& term : large) term = std::ldexp(term, 900);  // their squares need a scale
  check_against_remy(large);
}
