#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "orderlab/error.hpp"
#include "orderlab/graph_sage.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

// Sites of the draws.
constexpr std::uint64_t kEdgeSite = 0;
constexpr std::uint64_t kFeatureSite = 1;

void require_communities(const Communities& what) {
  const auto require = [](bool holds, const std::string& problem) {
    if (!holds) throw Error(ErrorKind::usage, "graph of communities: " + problem);
  };
  require(what.classes >= 2, "needs 2 classes or more");
  require(what.nodes < (std::size_t{1} << 31), "too many nodes");
  require(what.features >= what.classes, "needs a feature for each class");
  require(what.nodes / what.classes > what.train_each + 1 && what.train_each > 0,
          std::to_string(what.train_each) +
              " training nodes of each class: must be above 0 and below nodes / classes - 1, " +
              std::to_string(what.nodes / what.classes - 1));
  require(what.own >= 0 && what.own <= 1, "the share of a node's own community must be in [0, 1]");
  require(static_cast<double>(what.nodes) * (what.degree + what.features_each) < 0x1p30, "too many edges or features");
  require(what.degree > 0 && what.degree < 1e4 && what.features_each > 0 && what.features_each < 1e4,
          "the mean numbers of edges and features must be above 0 and below 1e4");
}

/// Draws of number `i` at a site, one after the other.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t site)
      : words_(RandomStream(DrawPath{.seed = seed, .site = site}.key(), streams::kTerms, 0)) {}

  std::size_t below(std::size_t bound) { return words_.below(static_cast<std::uint32_t>(bound), next_++); }
  bool chance(double probability) {
    return static_cast<double>(below(kParts)) < probability * static_cast<double>(kParts);
  }

  /// A member of `own` with that probability, else of all: numbers below `count`, of which own % groups == group.
  std::size_t member(double probability, std::size_t count, std::size_t group, std::size_t groups) {
    if (!chance(probability)) return below(count);
    return group + groups * below((count - group + groups - 1) / groups);
  }

 private:
  static constexpr std::size_t kParts = std::size_t{1} << 24;
  WordReader words_;
  std::uint64_t next_ = 0;
};

}  // namespace

NodeGraph planted_communities(const Communities& what) {
  const FloatEnvironment environment;
  require_communities(what);
  NodeGraph graph;
  graph.nodes = what.nodes;
  graph.classes = what.classes;
  const auto number = [](std::size_t n) { return static_cast<std::uint32_t>(n); };

  Draws edge_draws(what.seed, kEdgeSite);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // target, source
  const auto drawn = static_cast<std::size_t>(std::llround(what.degree * static_cast<double>(what.nodes) / 2));
  each_in_pass(drawn, [&](std::size_t) {
    const std::size_t a = edge_draws.below(what.nodes);
    const std::size_t b = edge_draws.member(what.own, what.nodes, a % what.classes, what.classes);
    if (a == b) return;
    edges.emplace_back(number(a), number(b));
    edges.emplace_back(number(b), number(a));
  });
  stoppable_sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  each_in_pass(edges.size(), [&](std::size_t e) {
    graph.target.push_back(edges[e].first);
    graph.source.push_back(edges[e].second);
  });

  Draws feature_draws(what.seed, kFeatureSite);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ones;
  const auto each = static_cast<std::size_t>(std::llround(what.features_each));
  each_in_pass(what.nodes, [&](std::size_t v) {
    for (std::size_t i = 0; i < std::max<std::size_t>(each, 1); ++i)
      ones.emplace_back(number(v),
                        number(feature_draws.member(what.own, what.features, v % what.classes, what.classes)));
  });
  stoppable_sort(ones.begin(), ones.end());
  ones.erase(std::unique(ones.begin(), ones.end()), ones.end());
  std::vector<Triplet> triplets;
  each_in_pass(ones.size(), [&](std::size_t i) { triplets.push_back({ones[i].first, ones[i].second, 1}); });
  graph.features = sparse_matrix<float>(what.nodes, what.features, triplets);

  each_in_pass(what.nodes, [&](std::size_t v) {
    graph.label.push_back(number(v % what.classes));
    const std::size_t other = v / what.classes < what.train_each ? 0 : 1 + (v / what.classes - what.train_each) % 6;
    graph.use.push_back(other == 0   ? NodeUse::train
                        : other == 1 ? NodeUse::validation
                        : other <= 3 ? NodeUse::test
                                     : NodeUse::unused);
  });
  return graph;
}

}  // namespace orderlab
