// A graph made ready for training.
#pragma once

#include <cstdint>
#include <vector>

#include "orderlab/graph_sage.hpp"

namespace orderlab {

/// Rows that training needs are those of training nodes and of the nodes that edges lead from to them. They are
/// numbered in ascending order of their nodes.
template <class T>
struct GraphSageProblem<T>::Parts {
  Parts(const NodeGraph& graph, const GraphSageOptions& options, std::string_view arrival, const Device& device);

  std::size_t nodes;
  std::size_t features;
  std::size_t hidden;
  std::size_t classes;
  std::vector<std::uint32_t> label;
  std::vector<NodeUse> use;
  std::vector<T> edges_into;  ///< number of edges into each node, at least 1

  std::vector<std::uint32_t> all;  ///< 0, 1, ..., nodes - 1
  SparseMatrix<T> x;               ///< features of each node
  SparseMatrix<T> mean;            ///< means of the features of its neighbours

  std::vector<std::uint32_t> train;         ///< training nodes
  std::vector<std::uint32_t> needed;        ///< nodes of the rows that training needs
  std::vector<std::uint32_t> row_of_train;  ///< row of each training node among them
  SparseMatrix<T> x_by_feature;             ///< x transposed: entries are rows that training needs
  SparseMatrix<T> mean_by_feature;
  std::vector<std::uint32_t> all_features;    ///< 0, 1, ...
  std::vector<std::uint32_t> backward_begin;  ///< where each needed row begins in `backward`
  std::vector<std::uint32_t> backward;        ///< training nodes, by number, that edges lead to from it, in their order

  IndexAddSite training;    ///< site 0: means of training nodes, the last output that of all other nodes
  IndexAddSite evaluation;  ///< site 1: means of all nodes

  std::size_t first_layer() const { return features * hidden; }  ///< weights of each of its matrices
  std::size_t second_layer() const { return hidden * classes; }
};

}  // namespace orderlab
