// Stable clusters: the largest sets of terms that every call of a box adds up by themselves and alike.
#pragma once

#include <optional>
#include <vector>

#include "probe/pair_sizes.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

struct StableClusters {
  std::vector<std::vector<std::size_t>> leaves;  ///< each cluster ascending; that with the first term comes first
  TreeShape shape;                               ///< the clusters' trees below a root with them as children
};

/// Whether some random pairs meet in subtrees of different sizes when they are asked again.
bool sizes_vary(PairSizes& sizes);

/// Pairs are asked `repeats` times each, those that vary less often. Where the first 8
/// terms have no cluster, none has. Empty where the inner tree of a cluster varies after all.
std::optional<StableClusters> find_stable_clusters(PairSizes& sizes, std::size_t repeats = 16);

}  // namespace orderlab
