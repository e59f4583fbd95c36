// Graphs whose nodes are to be classified: edges, sparse features, labels, a split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/sparse_matrix.hpp"

namespace orderlab {

/// What a node is used for.
enum class NodeUse : std::uint8_t { unused, train, validation, test };

/// Shape: source.size() == target.size(), numbers of nodes; features has a row for each node; label.size() ==
///        use.size() == nodes.
struct NodeGraph {
  std::size_t nodes = 0;
  std::size_t classes = 0;
  std::vector<std::uint32_t> source;  ///< edge e gives the features of source[e]
  std::vector<std::uint32_t> target;  ///< to the mean of target[e]
  SparseMatrix<float> features;
  std::vector<std::uint32_t> label;
  std::vector<NodeUse> use;

  std::size_t count(NodeUse what) const;

  /// "xxh3:" and 32 hex digits, of all of it.
  std::string hash() const;
};

/// A graph from the files of a folder:
///
///     edges.npy     (2, edges)  source and target of each edge, from 0, in the order in which they are added
///     features.npy  (2, ones)   node and feature of each feature that is 1; given twice, it is 2
///     labels.npy    (nodes)     class of each node, from 0
///     split.npy     (nodes)     0 unused, 1 train, 2 validation, 3 test
///
/// Errors: input, naming the file and what is wrong; also for a split without nodes to train, to validate or to test.
NodeGraph read_graph(const std::string& folder);

/// The files that read_graph reads.
std::vector<std::string> graph_files(const std::string& folder);

/// A graph to generate: communities, whose nodes have most edges and features in common.
struct Communities {
  std::size_t nodes = 1000;
  std::size_t classes = 5;  ///< community of node i: i mod classes
  std::size_t features = 200;
  double degree = 4;            ///< mean edges into a node
  double features_each = 10;    ///< mean features that a node draws
  double own = 0.6;             ///< share of edges and features drawn from the node's own community
  std::size_t train_each = 20;  ///< training nodes of each class; a sixth of the others are for validation, a third for
                                ///< tests
  std::uint64_t seed = 1;
};

/// Draws it: a pure function of `what`. Every edge is there in both directions, sorted by target.
///
/// Errors: usage for fewer than 2 classes, classes without a node to validate and one to test, shares out of range, and
///         too many nodes, edges or features.
NodeGraph planted_communities(const Communities& what);

}  // namespace orderlab
