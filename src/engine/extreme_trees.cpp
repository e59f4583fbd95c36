// Extremes over all trees: the greatest sum of a set is that of two parts, each at its greatest, for the best split.
#include <atomic>
#include <bit>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "engine/extremes_of.hpp"
#include "engine/key_range.hpp"
#include "engine/subset_walk.hpp"
#include "run/addition.hpp"
#include "run/evaluation.hpp"

namespace orderlab {

namespace {

using Set = SubsetIndex::Set;
using Node = SummationTree::Node;

// Sets have up to 2^m splits each, so short runs suffice.
constexpr Set kSplitSetsInARun = 64;

template <class T>
class Trees {
 public:
  Trees(const OrderSpace& space, const TermGroups& groups)
      : space_(space), groups_(groups), index_(groups), table_(index_.size()) {}

  std::optional<Extremes> run(const WalkOptions& options) {
    const bool overflow = may_overflow(space_);
    const auto visit = [this, overflow, parts = std::vector<Set>()](Set set, std::uint64_t held) mutable {
      index_.subsets(set, parts);
      table_[set] = parts.size() == 2 ? single(static_cast<std::size_t>(std::countr_zero(held)))
                                      : over_splits(set, parts, overflow);
    };
    if (!walk_sets(index_, kSplitSetsInARun, options, visit)) return std::nullopt;
    if (nan_) refuse_nan();
    return Extremes{walked_back(false), walked_back(true)};
  }

 private:
  KeyRange<T> single(std::size_t g) const {
    const auto key = number_key(round_to<T>(groups_.values[g]));
    return {key, key};
  }

  static T sum(KeyOf<T> a, KeyOf<T> b) { return added<T, false>(number_of<T>(a), number_of<T>(b)); }

  // `parts`: all subsets of the set, ascending.
  KeyRange<T> over_splits(Set set, const std::vector<Set>& parts, bool overflow) {
    KeyRange<T> range;
    for (std::size_t i = 1; i <= (parts.size() - 1) / 2; ++i) {
      const KeyRange<T>& a = table_[parts[i]];
      const KeyRange<T>& b = table_[set - parts[i]];
      if (overflow && can_make_nan(a, b)) nan_ = true;
      range.include(sum(a.least, b.least), sum(a.greatest, b.greatest));
    }
    return range;
  }

  ExtremeOrder walked_back(bool greatest) const {
    ExtremeOrder extreme = extreme_order(space_, number_of<T>(table_.back().end(greatest)));
    extreme.tree = SummationTree(space_.partial_sums.size());
    std::vector<std::uint32_t> used(groups_.size(), 0);
    extreme.tree.set_roots({subtree(index_.all(), greatest, extreme.tree, used)});
    return extreme;
  }

  // The subtree that gives the set's extreme. No deeper than there are partial sums.
  Node subtree(Set set, bool greatest, SummationTree& tree, std::vector<std::uint32_t>& used) const {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (set == index_.one(g)) return groups_.members[g][used[g]++];
    std::vector<Set> parts;
    index_.subsets(set, parts);
    const auto made = [&](Set part) {
      return number_key(sum(table_[part].end(greatest), table_[set - part].end(greatest)));
    };
    std::size_t i = 1;
    while (made(parts[i]) != table_[set].end(greatest)) ++i;
    const Node left = subtree(parts[i], greatest, tree, used);
    const Node right = subtree(set - parts[i], greatest, tree, used);
    const Node children[] = {left, right};
    return tree.add(Operation::add, space_.formats.accumulate, children);
  }

  const OrderSpace& space_;
  const TermGroups& groups_;
  SubsetIndex index_;
  std::vector<KeyRange<T>> table_;
  std::atomic<bool> nan_ = false;
};

}  // namespace

std::optional<Extremes> extreme_trees(const OrderSpace& space, const TermGroups& groups, const WalkOptions& options) {
  return with_accumulator_type(space.formats.accumulate, [&](auto* type) {
    return Trees<std::remove_pointer_t<decltype(type)>>(space, groups).run(options);
  });
}

Evaluation evaluate_tree(const Evaluator& evaluator, const OrderSpace& space, const SummationTree& tree) {
  const FloatEnvironment environment;
  return with_accumulator_type(space.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    Floats<T> arith(evaluator.fixed_error());
    std::vector<T> values;
    values.reserve(tree.node_count());
    for (const double sum : space.partial_sums) values.push_back(round_to<T>(sum));
    for (Node node = tree.term_count(); node < tree.node_count(); ++node)
      values.push_back(arith.add(values[tree.children(node)[0]], values[tree.children(node)[1]]));
    return evaluation_of(values[tree.roots()[0]], space.formats, tree.height(), arith.error());
  });
}

}  // namespace orderlab
