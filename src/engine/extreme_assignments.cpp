// Extremes over all assignments of partial sums to the leaves of a fixed tree: a table for every recipe, of the
// extremes over the sets with as many partial sums as it has leaves.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/addends.hpp"
#include "engine/arena.hpp"
#include "engine/extremes_of.hpp"
#include "engine/key_range.hpp"
#include "engine/multisets.hpp"
#include "engine/recipes.hpp"
#include "engine/subset_index.hpp"

namespace orderlab {

namespace {

using Set = SubsetIndex::Set;
using Node = SummationTree::Node;
using Range = KeyRange<double>;

bool is_leaf(const Recipe& recipe) { return recipe.pairs.empty(); }

bool is_product_step(const Recipe& recipe) {
  return recipe.operation == Operation::round || recipe.operation == Operation::fma;
}

// Whether the operation has one operand: start, start_ftz, round, or fma into +0.0.
bool is_unary(const Recipe& recipe) { return recipe.least_left == recipe.size; }

// What an inner node does with its children's sums; `b` is not looked at where there is one child. Of fma and round,
// `a` is the number of a product.
double combined(const Recipe& recipe, Format format, const std::vector<Factors>& products, double a, double b) {
  return with_type_of(format, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (is_product_step(recipe)) {
      const FusedAddend<T> product(products[static_cast<std::size_t>(a)]);
      if (recipe.operation == Operation::round) return static_cast<double>(product.first(false));
      return static_cast<double>(is_unary(recipe) ? product.first(true) : product.added_to(round_to<T>(b)));
    }
    const bool flush = recipe.operation == Operation::add_ftz || recipe.operation == Operation::start_ftz;
    return static_cast<double>(added(round_to<T>(a), round_to<T>(is_unary(recipe) ? 0.0 : b), flush));
  });
}

class Assignments {
 public:
  Assignments(const OrderSpace& space, const TermGroups& groups)
      : space_(space), groups_(groups), index_(groups), recipes_(one_tree(space.shape)), places_(index_.ranks()) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      leaves_.push_back(space.products.empty() ? groups.values[g] : static_cast<double>(g));
      if (!space.products.empty()) products_.push_back(space.products[groups.members[g].front()]);
    }
    sets_.resize(space.partial_sums.size() + 1);
    for (Set set = 0; set < index_.size(); ++set) sets_[index_.count(set)].push_back(set);
  }

  std::optional<Extremes> run(const WalkOptions& options) {
    for (std::size_t r = 0; r < recipes_.list.size(); ++r) {
      const std::vector<Set>& sets = sets_[recipes_.list[r].size];
      tables_.emplace_back(sets.size());
      parallel_for(0, sets.size(), Grain::joined, [&](std::uint64_t i) {
        if (!options.stop.stop_requested()) tables_[r][i] = extreme_of(recipes_.list[r], sets[i]);
      });
      if (options.stop.stop_requested()) return std::nullopt;
      if (options.progress) options.progress(r + 1, recipes_.list.size());
    }
    if (nan_) refuse_nan();
    return Extremes{walked_back(false), walked_back(true)};
  }

 private:
  const Range& at(std::size_t recipe, Set set) const { return tables_[recipe][places_[set]]; }

  double combined(const Recipe& recipe, double a, double b) const {
    return orderlab::combined(recipe, space_.formats.accumulate, products_, a, b);
  }

  Range extreme_of(const Recipe& recipe, Set set) {
    Range range;
    if (is_leaf(recipe)) {
      for (std::size_t g = 0; g < groups_.size(); ++g)
        if (set == index_.one(g)) range.include(leaves_[g], leaves_[g]);
      return range;
    }
    const auto [left, right] = recipe.pairs[0];
    if (is_unary(recipe)) {
      const Range& only = at(left, set);
      range.include(combined(recipe, number_of<double>(only.least), 0),
                    combined(recipe, number_of<double>(only.greatest), 0));
      return range;
    }
    std::vector<Set> parts;
    index_.subsets_of(set, static_cast<std::uint32_t>(recipe.least_left), parts);
    for (const Set part : parts) {
      const Range& a = at(left, part);
      const Range& b = at(right, set - part);
      if (can_make_nan(a, b)) nan_ = true;
      range.include(combined(recipe, number_of<double>(a.least), number_of<double>(b.least)),
                    combined(recipe, number_of<double>(a.greatest), number_of<double>(b.greatest)));
    }
    return range;
  }

  ExtremeOrder walked_back(bool greatest) const {
    const Node root = space_.shape.roots()[0];
    const Range& end = at(recipes_.of_node[root], index_.all());
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
    const std::size_t whole = recipes_.of_node[node];
    const auto children = space_.shape.children(node);
    const std::size_t left = recipes_.of_node[children[0]];
    const std::size_t right = recipes_.of_node[children[1]];
    std::vector<Set> parts;
    index_.subsets_of(set, static_cast<std::uint32_t>(recipes_.list[left].size), parts);
    const auto makes_it = [&](Set part) {
      double a = number_of<double>(at(left, part).end(greatest));
      double b = number_of<double>(at(right, set - part).end(greatest));
      if (is_product_step(recipes_.list[whole])) std::swap(a, b);  // the product is the right child
      const double sum = combined(recipes_.list[whole], a, b);
      return number_key(sum) == at(whole, set).end(greatest);
    };
    return *std::find_if(parts.begin(), parts.end(), makes_it);
  }

  const OrderSpace& space_;
  const TermGroups& groups_;
  SubsetIndex index_;
  Recipes recipes_;
  std::vector<std::vector<Set>> sets_;  ///< by how many partial sums they hold
  std::vector<Set> places_;             ///< the place of each set in its list
  std::vector<std::vector<Range>> tables_;
  std::vector<double> leaves_;     ///< for each group: its partial sum, or for products its number
  std::vector<Factors> products_;  ///< for each group
  std::atomic<bool> nan_ = false;
};

}  // namespace

ExtremesCost cost_of_assignments(const OrderSpace& space, const TermGroups& groups) {
  const Multisets sets(groups.multiplicities());
  const Recipes recipes = one_tree(space.shape);
  ExtremesCost cost{2 * sizeof(Set) * groups.subset_count(), 0};
  for (const Recipe& recipe : recipes.list) {
    const auto results = static_cast<double>(sets.count(recipe.size));
    cost.bytes += results * sizeof(Range);
    if (is_leaf(recipe) || is_unary(recipe)) continue;
    // parts of a set: at most those of a set of distinct partial sums, and at most the number of sets of that size
    const auto n = static_cast<double>(recipe.size);
    const auto k = static_cast<double>(recipe.least_left);
    const double choices = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
    cost.additions += results * std::min(choices, static_cast<double>(sets.count(recipe.least_left)));
  }
  return cost;
}

std::optional<Extremes> extreme_assignments(const OrderSpace& space, const TermGroups& groups,
                                            const WalkOptions& options) {
  return Assignments(space, groups).run(options);
}

}  // namespace orderlab
