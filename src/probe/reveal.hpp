// Revelation: the tree of a box of which nothing is known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "probe/pair_sizes.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// The tree of the box, by pairs with random pivots: of a subtree, a random leaf is paired with all others, which
/// orders them by the node at which they meet it; the leaves that meet it at one node are a subtree each, or, at a node
/// of more than two children, several. n log2(n) / 2 calls for a balanced tree, O(n log n) expected for any binary one.
/// Empty where answers contradict each other, as those of boxes do whose order varies.
std::optional<TreeShape> reveal(PairSizes& sizes, std::uint64_t key = 0);

/// About as many calls as it takes: n log2(n) / 2.
std::uint64_t revelation_calls(std::size_t n);

/// The same for leaves that are a subtree of the box's; appends its nodes to `shape` and returns the node of the whole.
std::optional<TreeShape::Node> reveal_part(PairSizes& sizes, std::vector<TreeShape::Node> leaves, TreeShape& shape,
                                           std::uint64_t key = 0);

}  // namespace orderlab
