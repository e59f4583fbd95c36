#include <algorithm>
#include <numeric>
#include <string>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "orderlab/error.hpp"
#include "training/graph_sage_parts.hpp"

namespace orderlab {

namespace {

std::vector<std::uint32_t> numbers_below(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

/// Mean of the features over the edges into each node: their sum, which is exact, over the number of edges.
template <class T>
SparseMatrix<T> mean_features(const NodeGraph& graph, const std::vector<T>& edges_into) {
  std::vector<Triplet> sums;
  const SparseMatrix<float>& x = graph.features;
  each_in_pass(graph.source.size(), [&](std::size_t e) {
    for (std::uint32_t i = x.row_begin[graph.source[e]]; i < x.row_begin[graph.source[e] + 1]; ++i)
      sums.push_back({graph.target[e], x.column[i], static_cast<double>(x.value[i])});
  });
  auto mean = sparse_matrix<T>(graph.nodes, x.columns, sums);
  each_in_pass(graph.nodes, [&](std::size_t v) {
    for (std::uint32_t i = mean.row_begin[v]; i < mean.row_begin[v + 1]; ++i) mean.value[i] /= edges_into[v];
  });
  return mean;
}

/// The matrix of these rows, transposed.
template <class T>
SparseMatrix<T> by_column(const SparseMatrix<T>& matrix, const std::vector<std::uint32_t>& rows) {
  SparseMatrix<T> result{matrix.columns, rows.size(), std::vector<std::uint32_t>(matrix.columns + 1, 0), {}, {}};
  const auto each = [&](auto entry) {
    each_in_pass(rows.size(), [&](std::size_t r) {
      for (std::uint32_t e = matrix.row_begin[rows[r]]; e < matrix.row_begin[rows[r] + 1]; ++e)
        entry(static_cast<std::uint32_t>(r), e);
    });
  };
  each([&](std::uint32_t, std::uint32_t e) { ++result.row_begin[matrix.column[e] + 1]; });
  std::partial_sum(result.row_begin.begin(), result.row_begin.end(), result.row_begin.begin());
  result.column.resize(result.row_begin.back());
  result.value.resize(result.row_begin.back());
  std::vector<std::uint32_t> next(result.row_begin.begin(), result.row_begin.end() - 1);
  each([&](std::uint32_t r, std::uint32_t e) {
    const std::uint32_t place = next[matrix.column[e]]++;
    result.column[place] = r;
    result.value[place] = matrix.value[e];
  });
  return result;
}

template <class T>
SparseMatrix<T> converted(const SparseMatrix<float>& x) {
  return {x.rows, x.columns, x.row_begin, x.column, std::vector<T>(x.value.begin(), x.value.end())};
}

template <class T>
std::vector<T> edges_into(const NodeGraph& graph) {
  std::vector<T> count(graph.nodes, 0);
  for (const std::uint32_t v : graph.target) count[v] += 1;
  for (T& edges : count) edges = std::max(edges, T{1});
  return count;
}

std::vector<std::uint32_t> training_nodes(const NodeGraph& graph) {
  std::vector<std::uint32_t> train;
  for (std::uint32_t v = 0; v < graph.nodes; ++v)
    if (graph.use[v] == NodeUse::train) train.push_back(v);
  return train;
}

/// Place of each node in `some`, which ascend; some.size() for others.
std::vector<std::uint32_t> places(const std::vector<std::uint32_t>& some, std::size_t nodes) {
  std::vector<std::uint32_t> place(nodes, static_cast<std::uint32_t>(some.size()));
  for (std::uint32_t i = 0; i < some.size(); ++i) place[some[i]] = i;
  return place;
}

std::vector<std::uint32_t> needed_nodes(const NodeGraph& graph) {
  std::vector<bool> needed(graph.nodes);
  for (std::size_t v = 0; v < graph.nodes; ++v) needed[v] = graph.use[v] == NodeUse::train;
  for (std::size_t e = 0; e < graph.source.size(); ++e)
    if (graph.use[graph.target[e]] == NodeUse::train) needed[graph.source[e]] = true;
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t v = 0; v < graph.nodes; ++v)
    if (needed[v]) nodes.push_back(v);
  return nodes;
}

/// The launch is that of all edges; rows are those that training needs, outputs the training nodes.
IndexAdd training_sums(const NodeGraph& graph, std::size_t hidden) {
  const auto train = training_nodes(graph);
  const auto needed = needed_nodes(graph);
  const auto output = places(train, graph.nodes);
  const auto row = places(needed, graph.nodes);
  IndexAdd sums;
  sums.outputs = train.size() + 1;
  sums.width = hidden;
  sums.wanted = numbers_below(train.size());
  each_in_pass(graph.source.size(), [&](std::size_t e) {
    sums.target.push_back(output[graph.target[e]]);
    sums.source.push_back(row[graph.source[e]] % static_cast<std::uint32_t>(needed.size()));
  });
  return sums;
}

IndexAdd evaluation_sums(const NodeGraph& graph, std::size_t hidden) {
  IndexAdd sums;
  sums.target = graph.target;
  sums.source = graph.source;
  sums.outputs = graph.nodes;
  sums.width = hidden;
  return sums;
}

void require_options(const NodeGraph& graph, const GraphSageOptions& options) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw Error(ErrorKind::usage, std::string("training: ") + what);
  };
  require(options.hidden > 0, "the hidden layer must have a unit");
  const double slices = static_cast<double>(std::max(graph.source.size(), graph.nodes));
  require(static_cast<double>(options.hidden) * slices < 0x1p31,
          "the hidden layer is too large for so many nodes and edges: their product must be below 2^31");
  require(static_cast<double>(options.hidden) * static_cast<double>(graph.features.columns) < 0x1p30,
          "the hidden layer is too large for so many features: their product must be below 2^30");
  require(!graph.source.empty(), "the graph has no edge");
  require(options.dropout >= 0 && options.dropout < 1, "dropout must be at least 0 and below 1");
  require(options.learning_rate > 0 && options.learning_rate < 1e3, "the learning rate must be above 0 and below 1000");
  require(options.weight_decay >= 0 && options.weight_decay < 1e3, "weight decay must be at least 0 and below 1000");
}

}  // namespace

template <class T>
GraphSageProblem<T>::Parts::Parts(const NodeGraph& graph, const GraphSageOptions& options, std::string_view arrival,
                                  const Device& device)
    : nodes(graph.nodes),
      features(graph.features.columns),
      hidden(options.hidden),
      classes(graph.classes),
      label(graph.label),
      use(graph.use),
      edges_into(orderlab::edges_into<T>(graph)),
      all(numbers_below(graph.nodes)),
      x(converted<T>(graph.features)),
      mean(mean_features<T>(graph, edges_into)),
      train(training_nodes(graph)),
      needed(needed_nodes(graph)),
      x_by_feature(by_column(x, needed)),
      mean_by_feature(by_column(mean, needed)),
      all_features(numbers_below(features)),
      training(0, training_sums(graph, options.hidden), arrival, device),
      evaluation(1, evaluation_sums(graph, options.hidden), arrival, device) {
  const auto row = places(needed, nodes);
  const auto output = places(train, nodes);
  for (const std::uint32_t v : train) row_of_train.push_back(row[v]);
  backward_begin.assign(needed.size() + 1, 0);
  const auto each = [&](auto edge) {
    each_in_pass(graph.source.size(), [&](std::size_t e) {
      if (output[graph.target[e]] < train.size()) edge(row[graph.source[e]], output[graph.target[e]]);
    });
  };
  each([&](std::uint32_t from, std::uint32_t) { ++backward_begin[from + 1]; });
  std::partial_sum(backward_begin.begin(), backward_begin.end(), backward_begin.begin());
  backward.resize(backward_begin.back());
  std::vector<std::uint32_t> next(backward_begin.begin(), backward_begin.end() - 1);
  each([&](std::uint32_t from, std::uint32_t to) { backward[next[from]++] = to; });
}

template <class T>
GraphSageProblem<T>::GraphSageProblem(const NodeGraph& graph, const GraphSageOptions& options, std::string_view arrival,
                                      const Device& device)
    : options_((require_options(graph, options), options)),
      parts_(in_float_environment([&] { return std::make_unique<const Parts>(graph, options, arrival, device); })) {}

template <class T>
GraphSageProblem<T>::~GraphSageProblem() = default;

template <class T>
std::string GraphSageProblem<T>::arrival() const {
  return parts_->evaluation.arrival();
}

template <class T>
const Launch& GraphSageProblem<T>::launch() const {
  return parts_->evaluation.launch();
}

template <class T>
bool GraphSageProblem<T>::varies() const {
  return parts_->evaluation.varies();
}

template <class T>
std::size_t GraphSageProblem<T>::weights() const {
  return 2 * (parts_->first_layer() + parts_->second_layer());
}

template <class T>
double GraphSageProblem<T>::run_bytes() const {
  const FloatEnvironment environment;
  constexpr double kArraysOfWeights = 4;  // weights, gradient, two moments
  constexpr double kArraysOfNodes = 2;    // hidden rows, means
  constexpr double kArraysNeeded = 4;
  const auto hidden = static_cast<double>(parts_->hidden);
  return sizeof(T) * (kArraysOfWeights * static_cast<double>(weights()) +
                      hidden * (kArraysOfNodes * static_cast<double>(parts_->nodes) +
                                kArraysNeeded * static_cast<double>(parts_->needed.size())));
}

template class GraphSageProblem<float>;
template class GraphSageProblem<double>;

}  // namespace orderlab
