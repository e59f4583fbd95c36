// Sums by a drawn tree without a branch on its shape: which node is a leaf cannot be predicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orderlab/evaluator.hpp"

namespace orderlab {

/// Nodes of a plane binary tree in post-order: a bit each, lowest first, set for inner nodes.
using PostOrder = std::span<const std::uint32_t>;

/// The sum of the leaves by the tree. `error` gets what Floats notes of the additions in post-order, bit for bit.
///
/// Shape: 2 leaves.size() - 1 nodes, at least one leaf; `stack` has room for the levels of inner nodes and three more.
double sum_of_tree(PostOrder nodes, std::span<const double> leaves, std::span<double> stack, RunningError& error);
float sum_of_tree(PostOrder nodes, std::span<const float> leaves, std::span<float> stack, RunningError& error);

}  // namespace orderlab
