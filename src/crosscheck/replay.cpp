#include "crosscheck/replay.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "orderlab/error.hpp"
#include "orderlab/order_space.hpp"
#include "run/addition.hpp"

namespace orderlab {

namespace {

using Index = std::uint32_t;

/// What the cell holds in turn are nodes, atomics are edges between them.
class CellGraph {
 public:
  CellGraph(const OrderSpace& space, std::span<const std::uint64_t> returned)
      : format_(space.formats.accumulate), edges_(returned.size()) {
    start_ = node_of(0.0);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const double before = value_of_bits(format_, returned[i]);
      edges_[i] = {node_of(before), node_of(sum(before, space.partial_sums[i], space.flush))};
    }
  }

  Replay replay() const {
    Replay result{{}, problem()};
    if (!result.problem.empty()) return result;
    std::vector<Index> path = path_from_start();
    if (path.size() == edges_.size())
      result.order = std::move(path);
    else
      result.problem = unreached(path);
    return result;
  }

 private:
  struct Edge {
    Index from;
    Index to;
  };

  Index node_of(double value) {
    const std::uint64_t bits = round_to_bits(format_, value);  // of every NaN the same
    const auto [found, fresh] = numbers_.try_emplace(bits, static_cast<Index>(values_.size()));
    if (fresh) values_.push_back(bits);
    return found->second;
  }

  double sum(double a, double b, bool flush) const {
    return with_type_of(format_, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      return static_cast<double>(added(round_to<T>(a), round_to<T>(b), flush));
    });
  }

  std::string unit_text(std::size_t unit) const {
    return "unit " + std::to_string(unit) + " returned " + bits_text(format_, values_[edges_[unit].from]);
  }

  // What is wrong at one value of the cell: it was replaced more often than reached. Empty if that is nowhere so; then
  // one value was reached once more than replaced, and is the last.
  std::string problem() const {
    std::vector<Index> reached(values_.size());
    std::vector<Index> replaced(values_.size());
    ++reached[start_];
    for (const Edge& e : edges_) {
      ++reached[e.to];
      ++replaced[e.from];
    }
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const Index from = edges_[i].from;
      if (reached[from] == 0) return unit_text(i) + ", a value that no addition gives";
      if (replaced[from] > reached[from])
        return unit_text(i) + ", as " + std::to_string(replaced[from]) +
               " units did, but the sum takes that value only " +
               (reached[from] == 1 ? "once" : std::to_string(reached[from]) + " times");
    }
    return {};
  }

  // Edges of the longest walk from the start that Hierholzer's algorithm makes of circles: all that can be reached.
  std::vector<Index> path_from_start() const {
    std::vector<Index> first(values_.size() +
                             1);  // edges that leave node v: leaving[first[v]] .. leaving[first[v+1]-1]
    for (const Edge& e : edges_) ++first[e.from + 1];
    for (std::size_t v = 0; v < values_.size(); ++v) first[v + 1] += first[v];
    std::vector<Index> leaving(edges_.size());
    std::vector<Index> next(first.begin(), first.end() - 1);
    for (Index i = 0; i < edges_.size(); ++i) leaving[next[edges_[i].from]++] = i;
    next.assign(first.begin(), first.end() - 1);

    struct Step {
      Index node;
      std::optional<Index> edge;  // that led here
    };
    std::vector<Step> walk{{start_, std::nullopt}};
    std::vector<Index> path;
    path.reserve(edges_.size());
    while (!walk.empty()) {
      const Step step = walk.back();
      if (next[step.node] < first[step.node + 1]) {
        const Index edge = leaving[next[step.node]++];
        walk.push_back({edges_[edge].to, edge});
      } else {
        if (step.edge) path.push_back(*step.edge);
        walk.pop_back();
      }
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  std::string unreached(const std::vector<Index>& path) const {
    std::vector<bool> done(edges_.size());
    for (const Index edge : path) done[edge] = true;
    const auto unit = static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin());
    return unit_text(unit) + ", which " + std::to_string(edges_.size() - path.size()) +
           " units reach in a circle among themselves, but never from 0";
  }

  Format format_;
  std::vector<Edge> edges_;
  std::unordered_map<std::uint64_t, Index> numbers_;
  std::vector<std::uint64_t> values_;
  Index start_ = 0;
};

}  // namespace

Replay replay_atomics(const Evaluator& evaluator, std::span<const std::uint64_t> returned,
                      std::span<const double> idle) {
  RecognizedSpace recognized = order_space(evaluator);
  if (!recognized.space || recognized.space->family != OrderFamily::sequences || !recognized.space->from_zero ||
      !recognized.space->products.empty())
    throw Error(ErrorKind::unsupported,
                evaluator.order().expression() +
                    ": returned values can be replayed only where one cell takes all partial sums, an order that ends "
                    "in `arrive | seq(acc=atomic)` or `arrive | seq(from=zero)`");
  std::vector<double>& added = recognized.space->partial_sums;
  added.insert(added.end(), idle.begin(), idle.end());
  const std::size_t m = added.size();
  if (returned.size() != m)
    return {{}, std::to_string(returned.size()) + " returned values for " + std::to_string(m) + " partial sums"};
  return CellGraph(*recognized.space, returned).replay();
}

}  // namespace orderlab
