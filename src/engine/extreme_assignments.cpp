// Extremes over all assignments of partial sums to the leaves of a fixed tree: a table for every shape of subtree, of
// the extremes over the sets with as many partial sums as it has leaves. Subtrees of one shape share a table.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/addition.hpp"
#include "engine/extremes_of.hpp"
#include "engine/key_range.hpp"
#include "engine/subset_index.hpp"

namespace orderlab {

namespace {

using Set = SubsetIndex::Set;
using Node = SummationTree::Node;
using Range = KeyRange<double>;

// A subtree without its leaves' names; children of an addition commute, so they are sorted. Leaves have no operation.
struct Shape {
  std::uint32_t leaves = 1;
  bool leaf = true;
  Operation operation = Operation::add;
  Format format = Format::fp64;
  std::array<std::uint32_t, 2> children{};
  bool unary = false;
};

// The shapes in a tree, children first, and which one every node has.
struct Shapes {
  std::vector<Shape> list;
  std::vector<std::uint32_t> of_node;

  explicit Shapes(const SummationTree& tree) : list(1), of_node(tree.node_count(), 0) {
    std::map<std::tuple<Operation, Format, std::uint32_t, std::uint32_t, bool>, std::uint32_t> known;
    for (Node node = tree.term_count(); node < tree.node_count(); ++node) {
      const auto children = tree.children(node);
      Shape shape{.leaves = 0, .leaf = false, .operation = tree.operation(node), .format = tree.format(node)};
      shape.unary = children.size() == 1;
      for (std::size_t c = 0; c < children.size(); ++c) {
        shape.children.at(c) = of_node[children[c]];
        shape.leaves += list[shape.children.at(c)].leaves;
      }
      if (!shape.unary && shape.children[0] > shape.children[1]) std::swap(shape.children[0], shape.children[1]);
      const auto [place, fresh] =
          known.try_emplace({shape.operation, shape.format, shape.children[0], shape.children[1], shape.unary},
                            static_cast<std::uint32_t>(list.size()));
      if (fresh) list.push_back(shape);
      of_node[node] = place->second;
    }
  }
};

// What an inner node does with its children's sums; `b` is not looked at where there is one child.
double combined(const Shape& shape, double a, double b) {
  return with_type_of(shape.format, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const bool flush = shape.operation == Operation::add_ftz || shape.operation == Operation::start_ftz;
    const T left = shape.unary ? round_to<T>(0.0) : round_to<T>(b);
    return static_cast<double>(added(round_to<T>(a), left, flush));
  });
}

class Assignments {
 public:
  Assignments(const OrderSpace& space, const TermGroups& groups)
      : space_(space), groups_(groups), index_(groups), shapes_(space.shape), places_(index_.size()) {
    sets_.resize(space.partial_sums.size() + 1);
    for (Set set = 0; set < index_.size(); ++set) {
      std::vector<Set>& layer = sets_[index_.count(set)];
      places_[set] = static_cast<Set>(layer.size());
      layer.push_back(set);
    }
  }

  std::optional<Extremes> run(const ExtremesOptions& options) {
    for (std::uint32_t s = 0; s < shapes_.list.size(); ++s) {
      const std::vector<Set>& sets = sets_[shapes_.list[s].leaves];
      tables_.emplace_back(sets.size());
      tbb::parallel_for(std::size_t{0}, sets.size(), [&](std::size_t i) {
        if (!options.stop.stop_requested()) tables_[s][i] = extreme_of(s, sets[i]);
      });
      if (options.stop.stop_requested()) return std::nullopt;
      if (options.progress) options.progress(s + 1, shapes_.list.size());
    }
    if (nan_) refuse_nan();
    return Extremes{walked_back(false), walked_back(true)};
  }

 private:
  const Range& at(std::uint32_t shape, Set set) const { return tables_[shape][places_[set]]; }

  Range extreme_of(std::uint32_t s, Set set) {
    const Shape& shape = shapes_.list[s];
    Range range;
    if (shape.leaf) {
      for (std::size_t g = 0; g < groups_.size(); ++g)
        if (set == index_.one(g)) range.include(groups_.values[g], groups_.values[g]);
      return range;
    }
    if (shape.unary) {
      const Range& only = at(shape.children[0], set);
      range.include(combined(shape, number_of<double>(only.least), 0),
                    combined(shape, number_of<double>(only.greatest), 0));
      return range;
    }
    std::vector<Set> parts;
    index_.subsets_of(set, shapes_.list[shape.children[0]].leaves, parts);
    for (const Set part : parts) {
      const Range& a = at(shape.children[0], part);
      const Range& b = at(shape.children[1], set - part);
      if (can_make_nan(a, b)) nan_ = true;
      range.include(combined(shape, number_of<double>(a.least), number_of<double>(b.least)),
                    combined(shape, number_of<double>(a.greatest), number_of<double>(b.greatest)));
    }
    return range;
  }

  ExtremeOrder walked_back(bool greatest) const {
    const Node root = space_.shape.roots()[0];
    const Range& end = at(shapes_.of_node[root], index_.all());
    ExtremeOrder extreme = extreme_order(space_, number_of<double>(end.end(greatest)));
    extreme.order.resize(space_.partial_sums.size());
    std::vector<std::uint32_t> used(groups_.size(), 0);
    std::vector<std::pair<Node, Set>> pending{{root, index_.all()}};
    while (!pending.empty()) {
      const auto [node, set] = pending.back();
      pending.pop_back();
      if (space_.shape.leaf(node)) {
        std::size_t g = 0;
        while (set != index_.one(g)) ++g;
        extreme.order[node] = groups_.members[g][used[g]++];
        continue;
      }
      const auto children = space_.shape.children(node);
      if (children.size() == 1) {
        pending.emplace_back(children[0], set);
        continue;
      }
      const Set left = left_part(node, set, greatest);
      pending.emplace_back(children[1], set - left);
      pending.emplace_back(children[0], left);
    }
    return extreme;
  }

  // The part of the set that goes to the left child so that the node gives the set's extreme.
  Set left_part(Node node, Set set, bool greatest) const {
    const std::uint32_t s = shapes_.of_node[node];
    const auto children = space_.shape.children(node);
    const std::uint32_t left = shapes_.of_node[children[0]];
    const std::uint32_t right = shapes_.of_node[children[1]];
    std::vector<Set> parts;
    index_.subsets_of(set, shapes_.list[left].leaves, parts);
    const auto makes_it = [&](Set part) {
      const double sum = combined(shapes_.list[s], number_of<double>(at(left, part).end(greatest)),
                                  number_of<double>(at(right, set - part).end(greatest)));
      return number_key(sum) == at(s, set).end(greatest);
    };
    return *std::find_if(parts.begin(), parts.end(), makes_it);
  }

  const OrderSpace& space_;
  const TermGroups& groups_;
  SubsetIndex index_;
  Shapes shapes_;
  std::vector<std::vector<Set>> sets_;  ///< by how many partial sums they hold
  std::vector<Set> places_;             ///< of each set in its list
  std::vector<std::vector<Range>> tables_;
  std::atomic<bool> nan_ = false;
};

}  // namespace

ExtremesCost cost_of_assignments(const OrderSpace& space, const TermGroups& groups) {
  const std::vector<double> layers = SubsetIndex::layer_sizes(groups);
  const Shapes shapes(space.shape);
  ExtremesCost cost{2 * sizeof(Set) * groups.subset_count(), 0};
  for (const Shape& shape : shapes.list) {
    cost.bytes += layers[shape.leaves] * sizeof(Range);
    if (shape.leaf || shape.unary) continue;
    const std::uint32_t part = shapes.list[shape.children[0]].leaves;
    // parts of a set: no more than of one whose partial sums all differ, nor than there are sets of that size
    const double n = shape.leaves;
    const double k = part;
    const double choices = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
    cost.additions += layers[shape.leaves] * std::min(choices, layers[part]);
  }
  return cost;
}

std::optional<Extremes> extreme_assignments(const OrderSpace& space, const TermGroups& groups,
                                            const ExtremesOptions& options) {
  return Assignments(space, groups).run(options);
}

}  // namespace orderlab
