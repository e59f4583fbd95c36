// GraphSAGE with two layers and mean aggregation, trained by Adam, order only where it varies on a GPU; and the graphs
// whose nodes it classifies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orderlab/program.hpp"
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

/// The model, and how Adam trains it.
struct GraphSageOptions {
  std::size_t hidden = 1024;
  double dropout = 0.5;
  double learning_rate = 0.01;
  double weight_decay = 5e-4;
};

/// What one epoch gave: the loss of its training step, the accuracies of the weights after it.
struct EpochScores {
  double loss = 0;
  double train_accuracy = 0;
  double validation_accuracy = 0;
  double test_accuracy = 0;
};

/// A graph made ready for training, shared by all runs. A layer is
///
///     out = normalize(x W + mean(x) A),   mean(x)_v = index_add of x[source] over the edges into v, over their number
///
/// where normalize makes rows of length 1; then ReLU and dropout after the first layer, log-softmax after the second,
/// and the mean negative log-likelihood of the training nodes.
///
/// Sums of the first layer's mean are whole numbers, which no order changes; they are computed once, and sparse. Those
/// of the second layer are added by atomics, in training and in evaluation: sites 0 and 1 of the program. All else is
/// added in fixed orders, as on the GPU: the backward pass of index_add gathers, and that of the gather sorts.
template <class T>
class GraphSageProblem {
 public:
  /// Errors: usage for an arrival model that does not fit, and for options out of range.
  GraphSageProblem(const NodeGraph& graph, const GraphSageOptions& options, std::string_view arrival = "uniform",
                   const Device& device = {});
  ~GraphSageProblem();

  const GraphSageOptions& options() const { return options_; }
  std::string arrival() const;
  const Launch& launch() const;  ///< launch of the second layer's index_add
  bool varies() const;           ///< several thread blocks add to one of its outputs

  /// Weights of all four matrices.
  std::size_t weights() const;

  /// Estimate of the bytes of one run.
  double run_bytes() const;

 private:
  template <class>
  friend class GraphSage;
  struct Parts;

  GraphSageOptions options_;
  std::unique_ptr<const Parts> parts_;
};

/// A model in training. Initial weights and dropout are pure functions of the seed of `run`, sums of its sample.
template <class T>
class GraphSage {
 public:
  /// Initial weights: uniform in +-1/sqrt(inputs of the layer), as torch.nn.Linear draws them. The problem must outlive
  /// the model.
  GraphSage(const GraphSageProblem<T>& problem, ProgramRun run);
  ~GraphSage();
  GraphSage(GraphSage&&) noexcept;

  /// A step of training, then an evaluation of the new weights.
  EpochScores epoch();

  /// Class of each node by the last evaluation.
  std::span<const std::uint32_t> predictions() const;

  /// All weights: of the first layer W and A, then of the second W and A, each inputs x outputs in C order.
  std::span<const T> weights() const;

  /// One evaluation of the weights as they are, whose sums draw as `run` says.
  struct Evaluation {
    std::vector<std::uint32_t> predictions;
    std::vector<double> margins;  ///< by node: greatest score less the second, in log probability
  };
  Evaluation evaluate(ProgramRun& run) const;

  /// Other weights than those so far.
  void set_weights(std::span<const T> weights);

  /// Loss of the training nodes with the dropout of the coming epoch; sets `gradient` to its derivatives by the
  /// weights, without weight decay.
  double loss(std::span<T> gradient);

 private:
  struct State;

  const GraphSageProblem<T>& problem_;
  std::unique_ptr<State> state_;
};

extern template class GraphSageProblem<float>;
extern template class GraphSageProblem<double>;
extern template class GraphSage<float>;
extern template class GraphSage<double>;

}  // namespace orderlab
