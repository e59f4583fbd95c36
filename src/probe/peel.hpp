// Names for a tree: pipelines of stages that make it.
#pragma once

#include <cstddef>
#include <vector>

#include "orderlab/order.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// Pipelines of the fewest stages that add up the leaves of this shape to its root, or, where the root has more than
/// two children, to these children; at most `most`, those with the fewest arguments first. Stages are tried one after
/// the other, breadth first: one that adds only what the tree adds together takes the leaves up to the nodes that it
/// leaves. Its counts are those that the tree suggests: sizes of subtrees and distances of terms that are added first.
std::vector<std::vector<StageCall>> peel(const TreeShape& shape, Format accumulate, std::size_t most = 16);

}  // namespace orderlab
