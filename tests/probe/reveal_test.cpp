#include "probe/reveal.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "probe/model_boxes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr Masks kRevealMasks{127, 0, std::size_t{1} << 24};

struct Revealed {
  std::optional<TreeShape> shape;
  std::uint64_t calls;
};

Revealed revealed(const BoxMaker& maker, std::size_t n, std::uint64_t key = 0) {
  const ProbeWatch watch;
  AskedBox box(maker, {.n = n}, watch);
  PairSizes sizes(box, kRevealMasks);
  std::optional<TreeShape> shape = reveal(sizes, key);
  return {std::move(shape), box.calls()};
}

// Answers to masks in a tree with nodes of more than two children, each of which adds all of them at once: a mask
// swallows what is added with it.
BoxMaker wide_box(const TreeShape& shape) {
  return function_box("wide nodes", [shape](const TermView& terms) {
    std::vector<double> units(shape.node_count(), 0);
    std::vector<double> masks(shape.node_count(), 0);
    for (TreeShape::Node node = 0; node < shape.node_count(); ++node) {
      if (shape.leaf(node)) (std::fabs(terms.left(node)) > 0x1p100 ? masks : units)[node] = terms.left(node);
      bool swallows = masks[node] != 0;
      for (const TreeShape::Node child : shape.children(node)) {
        units[node] += units[child];
        masks[node] += masks[child];
        swallows = swallows || masks[child] != 0;
      }
      if (swallows) units[node] = 0;
    }
    return masks.back() != 0 ? masks.back() : units.back();
  });
}

// The nodes of a tree joined with the one above them where `drop` says so.
TreeShape flattened(const TreeShape& shape, IndexGenerator& draw) {
  std::vector<bool> dropped(shape.node_count(), false);
  for (TreeShape::Node node = 0; node + 1 < shape.node_count(); ++node)
    dropped[node] = !shape.leaf(node) && chance(draw, 3);
  TreeShape flat(shape.leaf_count());
  std::vector<std::vector<TreeShape::Node>> tops(shape.node_count());
  for (TreeShape::Node node = 0; node < shape.node_count(); ++node) {
    if (shape.leaf(node)) {
      tops[node] = {node};
      continue;
    }
    std::vector<TreeShape::Node> children;
    for (const TreeShape::Node child : shape.children(node))
      children.insert(children.end(), tops[child].begin(), tops[child].end());
    tops[node] = dropped[node] ? children : std::vector{flat.join(children)};
  }
  return flat;
}

}  // namespace

TEST_CASE("random trees are revealed") {
  IndexGenerator draw(RandomStream(22, 0, 0), 0);
  for (std::uint64_t trial = 0; trial < trials(400); ++trial) {
    const std::size_t n = 1 + below(draw, 80);
    const TreeShape shape = random_shape(draw, n, chance(draw, 2));
    const Revealed found = revealed(shape_box(shape), n, trial);
    REQUIRE(found.shape.has_value());
    CHECK(*found.shape == shape);
    CHECK(found.shape->binary());
  }
}

TEST_CASE("nodes of more than two children are revealed") {
  IndexGenerator draw(RandomStream(23, 0, 0), 0);
  int wide = 0;
  for (std::uint64_t trial = 0; trial < trials(400); ++trial) {
    const std::size_t n = 2 + below(draw, 50);
    const TreeShape shape = flattened(random_shape(draw, n), draw);
    const Revealed found = revealed(wide_box(shape), n, trial);
    REQUIRE(found.shape.has_value());
    CHECK(*found.shape == shape);
    wide += shape.binary() ? 0 : 1;
  }
  CHECK(wide > 0);
}

TEST_CASE("random pivots need n log n calls on the trees that take all pairs otherwise") {
  // A balanced tree takes n log2(n) / 2 with any pivots. In a chain the pivot's place splits the rest as in quicksort,
  // of which only the part below it goes on: 2 n expected, and the deviation is below n.
  constexpr std::size_t n = 512;
  CHECK(revealed(order_box("pairwise"), n).calls == n * 9 / 2);
  for (const char* text : {"seq", "reverse | seq"})
    for (std::uint64_t key = 0; key < 5; ++key) {
      CAPTURE(text);
      const Revealed found = revealed(order_box(text), n, key);
      CHECK(*found.shape == shape_of_order(text, n));
      CHECK(found.calls < 6 * n);
    }
}

TEST_CASE("a box whose order varies contradicts itself") {
  int contradictions = 0;
  for (std::uint64_t key = 0; key < 10; ++key)
    contradictions += revealed(order_box("shuffle | tree"), 40, key).shape.has_value() ? 0 : 1;
  CHECK(contradictions > 0);
}
