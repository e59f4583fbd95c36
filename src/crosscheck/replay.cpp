#include "crosscheck/replay.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "orderlab/enumerate.hpp"
#include "orderlab/error.hpp"
#include "run/addition.hpp"

namespace orderlab {

namespace {

using Index = std::uint32_t;

/// What the cell holds in turn are nodes, atomics are edges between them.
class CellGraph {
 public:
  explicit CellGraph(const CellAtomics& atomics) : atomics_(atomics), edges_(atomics.returned.size()) {
    start_ = node_of(atomics.start);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const double before = value_of_bits(atomics.format, atomics.returned[i]);
      edges_[i] = {node_of(before), node_of(sum(before, atomics.added[i]))};
    }
    sort_edges();
  }

  Replay replay() const {
    Replay result{{}, problem()};
    if (!result.problem.empty()) return result;
    result.order = path_from_start();
    if (result.order.size() != edges_.size()) return {{}, unreached(result.order)};
    if (out_of_turn(result.order)) keep_turns(result);
    return result;
  }

 private:
  struct Edge {
    Index from;
    Index to;
  };

  // The atomics that leave node v are leaving_[first_[v]] .. leaving_[first_[v + 1] - 1].
  void sort_edges() {
    first_.assign(values_.size() + 1, 0);
    for (const Edge& e : edges_) ++first_[e.from + 1];
    for (std::size_t v = 0; v < values_.size(); ++v) first_[v + 1] += first_[v];
    leaving_.resize(edges_.size());
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    for (Index i = 0; i < edges_.size(); ++i) leaving_[next[edges_[i].from]++] = i;
  }

  Index node_of(double value) {
    const std::uint64_t bits = round_to_bits(atomics_.format, value);  // every NaN gives the same bits
    const auto [found, fresh] = numbers_.try_emplace(bits, static_cast<Index>(values_.size()));
    if (fresh) values_.push_back(bits);
    return found->second;
  }

  double sum(double a, double b) const {
    return with_type_of(atomics_.format, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      return static_cast<double>(added(round_to<T>(a), round_to<T>(b), atomics_.flush));
    });
  }

  std::string name_of(std::size_t atomic) const {
    return std::string(atomics_.noun) + " " + std::to_string(atomics_.names.empty() ? atomic : atomics_.names[atomic]);
  }
  std::string nouns() const { return std::string(atomics_.noun) + "s"; }
  std::string returned_text(std::size_t atomic) const {
    return name_of(atomic) + " returned " + bits_text(atomics_.format, values_[edges_[atomic].from]);
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
      if (reached[from] == 0) return returned_text(i) + ", a value that no addition gives";
      if (replaced[from] > reached[from])
        return returned_text(i) + ", as " + std::to_string(replaced[from]) + " " + nouns() +
               " did, but the sum takes that value only " +
               (reached[from] == 1 ? "once" : std::to_string(reached[from]) + " times");
    }
    return {};
  }

  // Edges of the longest walk from the start that Hierholzer's algorithm makes of circles: all that can be reached.
  std::vector<Index> path_from_start() const {
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    struct Step {
      Index node;
      std::optional<Index> edge;  // that led here
    };
    std::vector<Step> walk{{start_, std::nullopt}};
    std::vector<Index> path;
    path.reserve(edges_.size());
    while (!walk.empty()) {
      const Step step = walk.back();
      if (next[step.node] < first_[step.node + 1]) {
        const Index edge = leaving_[next[step.node]++];
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
    const auto atomic = static_cast<std::size_t>(std::find(done.begin(), done.end(), false) - done.begin());
    return returned_text(atomic) + ", which " + std::to_string(edges_.size() - path.size()) + " " + nouns() +
           " reach in a circle among themselves, but never from " +
           (atomics_.start == 0 ? "0" : bits_text(atomics_.format, values_[start_]));
  }

  // An atomic that comes before one that stands in front of it and is done by the same thread.
  std::optional<Index> out_of_turn(const std::vector<Index>& path) const {
    std::unordered_map<std::size_t, Index> last;
    for (std::size_t k = 0; k < path.size() && !atomics_.thread.empty(); ++k) {
      const auto [before, fresh] = last.try_emplace(atomics_.thread[path[k]], path[k]);
      if (!fresh && before->second > path[k]) return before->second;
      before->second = path[k];
    }
    return std::nullopt;
  }

  // Depth first through all paths that keep the order of every thread, until one is found or it has taken long.
  void keep_turns(Replay& result) const {
    constexpr std::size_t kMostSteps = 100'000;
    std::vector<std::optional<Index>> before(edges_.size());  // that the same thread does first
    std::unordered_map<std::size_t, Index> last;
    for (Index i = 0; i < edges_.size(); ++i) {
      const auto [known, fresh] = last.try_emplace(atomics_.thread[i], i);
      if (!fresh) before[i] = std::exchange(known->second, i);
    }
    std::vector<Index> path;
    std::vector<Index> tried{first_[start_]};  // by depth: the next place of leaving_ to try
    std::vector<bool> done(edges_.size());
    Index node = start_;
    for (std::size_t steps = 0; steps < kMostSteps; ++steps) {
      Index& place = tried.back();
      while (place < first_[node + 1] &&
             (done[leaving_[place]] || (before[leaving_[place]] && !done[*before[leaving_[place]]])))
        ++place;
      if (place < first_[node + 1]) {
        const Index edge = leaving_[place++];
        done[edge] = true;
        path.push_back(edge);
        if (path.size() == edges_.size()) {
          result.order = std::move(path);
          return;
        }
        node = edges_[edge].to;
        tried.push_back(first_[node]);
      } else if (path.empty()) {
        const Index early = *out_of_turn(result.order);
        result = {{},
                  returned_text(early) + ", but a thread does its atomics on one cell in turn, and " +
                      name_of(*before[early]) + " of the same thread was done later"};
        return;
      } else {
        done[path.back()] = false;
        node = edges_[path.back()].from;
        path.pop_back();
        tried.pop_back();
      }
    }
  }

  const CellAtomics& atomics_;
  std::vector<Edge> edges_;
  std::unordered_map<std::uint64_t, Index> numbers_;
  std::vector<std::uint64_t> values_;
  Index start_ = 0;
  std::vector<Index> first_;
  std::vector<Index> leaving_;
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
  return replay_cell({.format = recognized.space->formats.accumulate,
                      .flush = recognized.space->flush,
                      .start = 0,
                      .added = added,
                      .returned = returned});
}

Replay replay_cell(const CellAtomics& atomics) { return CellGraph(atomics).replay(); }

}  // namespace orderlab
