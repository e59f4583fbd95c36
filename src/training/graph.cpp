#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "orderlab/error.hpp"
#include "orderlab/graph_sage.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kUses = 4;

constexpr const char* kEdges = "edges.npy";
constexpr const char* kFeatures = "features.npy";
constexpr const char* kLabels = "labels.npy";
constexpr const char* kSplit = "split.npy";

/// A file of a graph's folder.
struct GraphFile {
  std::string path;
  IndexTensor numbers;

  GraphFile(const std::string& folder, const char* name) : path(folder + "/" + name), numbers(read_index(path)) {}

  [[noreturn]] void fail(const std::string& problem) const { throw Error(ErrorKind::input, path + ": " + problem); }

  void require_shape(bool fits, const char* wanted) const {
    if (!fits) fail("has shape " + to_string(numbers.shape) + "; it must be " + wanted);
  }

  /// Error(input), naming the place, unless all numbers from `begin` on are in [0, limit).
  void require_below(std::size_t limit, const char* what, std::size_t begin, std::size_t end) const {
    each_in_pass(end - begin, [&](std::size_t k) {
      const std::size_t i = begin + k;
      if (numbers.values[i] < 0 || static_cast<std::uint64_t>(numbers.values[i]) >= limit)
        fail("number " + std::to_string(i) + " is " + std::to_string(numbers.values[i]) + "; " + what +
             " must be at least 0 and below " + std::to_string(limit));
    });
  }
};

std::size_t one_above_greatest(const std::int64_t* begin, const std::int64_t* end) {
  const std::int64_t greatest = begin == end ? 0 : *std::max_element(begin, end);
  return greatest < 0 ? 0 : static_cast<std::size_t>(greatest) + 1;
}

}  // namespace

std::size_t NodeGraph::count(NodeUse what) const {
  return static_cast<std::size_t>(std::count(use.begin(), use.end(), what));
}

std::string NodeGraph::hash() const {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  const auto take = [&](const auto& numbers) {
    const std::uint64_t count = numbers.size();
    XXH3_128bits_update(state.get(), &count, sizeof(count));
    XXH3_128bits_update(state.get(), numbers.data(), numbers.size() * sizeof(numbers[0]));
  };
  take(source);
  take(target);
  take(features.row_begin);
  take(features.column);
  take(features.value);
  take(label);
  take(use);
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("xxh3:{:016x}{:016x}", hash.high64, hash.low64);
}

std::vector<std::string> graph_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const char* name : {kEdges, kFeatures, kLabels, kSplit}) files.push_back(folder + "/" + name);
  return files;
}

NodeGraph read_graph(const std::string& folder) {
  const FloatEnvironment environment;
  const GraphFile labels(folder, kLabels);
  const GraphFile split(folder, kSplit);
  const GraphFile edges(folder, kEdges);
  const GraphFile ones(folder, kFeatures);
  labels.require_shape(labels.numbers.shape.size() == 1, "one number for each node");
  NodeGraph graph;
  graph.nodes = labels.numbers.values.size();
  split.require_shape(split.numbers.shape == labels.numbers.shape, "that of labels.npy");
  edges.require_shape(edges.numbers.shape.size() == 2 && edges.numbers.shape[0] == 2, "2 x edges");
  ones.require_shape(ones.numbers.shape.size() == 2 && ones.numbers.shape[0] == 2, "2 x ones");

  const auto numbers = [](const GraphFile& file, std::size_t begin, std::size_t count) {
    std::vector<std::uint32_t> result(count);
    each_in_pass(count, [&](std::size_t i) { result[i] = static_cast<std::uint32_t>(file.numbers.values[begin + i]); });
    return result;
  };
  const std::int64_t* const of_label = labels.numbers.values.data();
  graph.classes = one_above_greatest(of_label, of_label + graph.nodes);
  labels.require_below(graph.nodes, "a class (fewer than nodes)", 0, graph.nodes);
  graph.label = numbers(labels, 0, graph.nodes);
  split.require_below(kUses, "0 unused, 1 train, 2 validation, 3 test: it", 0, graph.nodes);
  for (const std::int64_t use : split.numbers.values) graph.use.push_back(static_cast<NodeUse>(use));
  for (const NodeUse use : {NodeUse::train, NodeUse::validation, NodeUse::test})
    if (graph.count(use) == 0)
      split.fail("has no node of use " + std::to_string(static_cast<int>(use)) +
                 "; some must train (1), validate (2) and test (3)");
  const std::size_t edge_count = edges.numbers.shape[1];
  edges.require_below(graph.nodes, "a node", 0, 2 * edge_count);
  graph.source = numbers(edges, 0, edge_count);
  graph.target = numbers(edges, edge_count, edge_count);

  const std::size_t one_count = ones.numbers.shape[1];
  const std::int64_t* const of_feature = ones.numbers.values.data() + one_count;
  const std::size_t features = one_above_greatest(of_feature, of_feature + one_count);
  ones.require_below(graph.nodes, "a node", 0, one_count);
  ones.require_below(features, "a feature", one_count, 2 * one_count);
  std::vector<Triplet> triplets;
  each_in_pass(one_count, [&](std::size_t i) {
    triplets.push_back({static_cast<std::uint32_t>(ones.numbers.values[i]),
                        static_cast<std::uint32_t>(ones.numbers.values[one_count + i]), 1});
  });
  graph.features = sparse_matrix<float>(graph.nodes, features, triplets);
  return graph;
}

}  // namespace orderlab
