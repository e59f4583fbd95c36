// Summation trees of few terms as points and lines to draw.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"

namespace orderlab {

/// Terms of a tree that is drawn: four thread blocks of drawn_order's widths with two items a thread, the least number
/// whose sums a chain and a tree add in different shapes.
inline constexpr std::uint64_t kDrawnTerms = 32;

/// The widest tile, warp or group of lanes in such a tree.
inline constexpr std::uint64_t kDrawnWidth = 4;

/// The order with which so few terms look like many do with `expression`: widths of tiles, warps and lanes divided by
/// one number so that the widest is kDrawnWidth, explicit grids dropped, arrivals uniform. Words are otherwise left
/// alone.
std::string drawn_order(const std::string& expression);

struct TreePoint {
  double x;  ///< place from the left, terms at whole numbers in the order in which the tree takes them
  double y;  ///< additions below it: 0 for terms
  bool leaf;
  bool compensated;    ///< one node for a whole group (kahan, neumaier, fma)
  std::uint64_t term;  ///< number of a leaf
};

struct TreeEdge {
  std::size_t parent;  ///< positions in `points`
  std::size_t child;
};

struct TreeDrawing {
  std::vector<TreePoint> points;
  std::vector<TreeEdge> edges;
  std::uint64_t height = 0;
};

/// Places of the nodes below the first root: a parent above the middle of its children, no two edges crossing. Unary
/// nodes, which add +0.0 or round, are drawn as their child.
TreeDrawing draw_tree(const SummationTree& tree);

/// The tree of an order at kDrawnTerms terms in fp64; empty if it cannot add that many, or names a file.
std::optional<TreeDrawing> small_tree(const std::string& expression, std::uint64_t seed);

}  // namespace orderlab
