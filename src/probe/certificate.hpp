// Certificates: proof that a box adds in the tree of a hypothesis.
#pragma once

#include <optional>

#include "probe/pair_sizes.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// Asks once at each node of two children, k (k - 1) / 2 times at one of k: n - 1 calls for a binary tree. Empty: the
/// box has this shape. By induction: where all children of a node are subtrees of the box's tree, the smallest subtree
/// that holds a leaf of each of two has the size of the node only if it is all of the node.
std::optional<PairThatDiffers> certify(const TreeShape& shape, PairSizes& sizes);

}  // namespace orderlab
