// tree: a uniformly random plane binary tree over the partial sums in their order (Remy's algorithm).
//
// A tree of a million leaves is far larger than a cache and its nodes lie in it at random. Walking down it would wait
// for memory at every node, so no step here needs what the step before it has just read: growth knows its next nodes,
// levels are gone through breadth first with the nodes ahead fetched meanwhile, and what is left to do after that goes
// through memory in order.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "order/stage_code.hpp"
#include "order/stages/pairwise.hpp"
#include "orderlab/permutation.hpp"

namespace orderlab {

namespace {

/// Where the inner nodes stand: after_leaf()[i] of them are added as soon as leaf i is there, in post-order.
template <class Index>
class PlaneTree {
 public:
  PlaneTree(std::size_t leaves, const RandomStream& stream, StageMemory& memory) : leaves_(leaves) {
    auto left = memory.indices<Index>(11 * leaves);
    const auto next = [&](std::size_t count) {
      const auto taken = left.first(count);
      left = left.subspan(count);
      return taken;
    };
    children_ = next(4 * leaves);
    first_child_ = next(2 * leaves + 1);  // a leaf writes its children, too, where the next inner node's will be
    below_ = next(2 * leaves - 1);
    after_leaf_ = next(leaves + 1);
    grow(stream);
    number_by_levels();
    count_leaves();
    find_last_leaves();
  }

  std::span<const Index> after_leaf() const { return after_leaf_.first(leaves_); }

 private:
  static constexpr Index kLeaf = std::numeric_limits<Index>::max();
  static constexpr std::size_t kAhead = 32;

  std::size_t nodes() const { return 2 * leaves_ - 1; }

  // Grown leaf by leaf: a uniformly chosen node moves below a new inner node, the new leaf on a uniformly chosen side.
  // Step k, making leaf k + 1 of k + 1 >= 2, takes word k - 1. Source: [Remy1985].
  void grow(const RandomStream& stream) {
    children_[0] = children_[1] = kLeaf;
    if (leaves_ >> 30 != 0) {
      const WordReader words(stream);
      for (std::uint64_t k = 1; k < leaves_; ++k) insert(k, words.below_wide(4 * k - 2, k - 1));
      return;
    }
    std::array<std::uint32_t, kDrawsAhead> buffer;
    for (std::uint64_t k = 1; k < leaves_;) {
      const auto picks = std::span(buffer).first(std::min<std::size_t>(leaves_ - k, kDrawsAhead));
      draw_below(stream, static_cast<std::uint32_t>(4 * k - 2), 4, k - 1, picks);
      for (const std::uint32_t pick : picks) __builtin_prefetch(&children_[pick / 2 * 2], 1);
      for (const std::uint32_t pick : picks) insert(k++, pick);
    }
  }

  // pick / 2 is the node that moves; its content moves, so that its parent need not be found.
  void insert(std::uint64_t k, std::uint64_t pick) {
    const std::uint64_t moved = 2 * k - 1;
    const std::uint64_t leaf = moved + 1;
    Index* const at = &children_[pick / 2 * 2];
    children_[2 * moved] = at[0];
    children_[2 * moved + 1] = at[1];
    children_[2 * leaf] = children_[2 * leaf + 1] = kLeaf;
    at[pick % 2] = static_cast<Index>(moved);
    at[1 - pick % 2] = static_cast<Index>(leaf);
  }

  // New numbers: level by level, left to right, so that both children of a node are neighbours and stand in the order
  // of their parents. Afterwards first_child_[q] is the left child of q, 0 for a leaf.
  void number_by_levels() {
    std::size_t end = 1;
    first_child_[0] = 0;
    for (std::size_t q = 0; q < nodes(); ++q) {
      if (q + kAhead < end) __builtin_prefetch(&children_[2 * static_cast<std::size_t>(first_child_[q + kAhead])]);
      const Index* const node = &children_[2 * static_cast<std::size_t>(first_child_[q])];
      const bool inner = node[0] != kLeaf;
      first_child_[q] = inner ? static_cast<Index>(end) : 0;
      first_child_[end] = node[0];
      first_child_[end + 1] = node[1];
      end += inner ? 2 : 0;
    }
  }

  void count_leaves() {
    for (std::size_t q = nodes(); q-- > 0;) {
      const std::size_t child = first_child_[q];
      below_[q] = child == 0 ? 1 : below_[child] + below_[child + 1];
    }
  }

  // A node with leaves a .. b-1 below it is added after leaf b-1: a leaf ends as many nodes as steps to the right lead
  // down to it in a row.
  void find_last_leaves() {
    const std::span<Index> first = children_.first(2 * leaves_);  // the children are no longer needed
    const std::span<Index> ended = children_.subspan(2 * leaves_);
    first[0] = ended[0] = 0;
    for (std::size_t q = 0; q < nodes(); ++q) {
      const std::size_t child = first_child_[q];
      if (child == 0) {
        after_leaf_[first[q]] = ended[q];
        continue;
      }
      first[child] = first[q];
      first[child + 1] = first[q] + below_[child];
      ended[child] = 0;
      ended[child + 1] = ended[q] + 1;
    }
  }

  std::size_t leaves_;
  std::span<Index> children_;     ///< of node i at 2 i and 2 i + 1; kLeaf for a leaf
  std::span<Index> first_child_;  ///< nodes numbered by levels
  std::span<Index> below_;        ///< leaves below a node
  std::span<Index> after_leaf_;
};

struct Tree {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    if (in.size() >> 30 == 0)
      add<std::uint32_t>(context, arith, in, out);
    else
      add<std::uint64_t>(context, arith, in, out);
  }

 private:
  template <class Index, class A>
  static void add(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const PlaneTree<Index> shape(in.size(), context.stream, context.memory);
    std::vector<typename A::Value> waiting;
    for (std::size_t i = 0; i < in.size(); ++i) {
      typename A::Value sum = in[i];
      for (Index k = shape.after_leaf()[i]; k > 0; --k) {
        sum = arith.add(waiting.back(), sum);
        waiting.pop_back();
      }
      waiting.push_back(sum);
    }
    out[0] = waiting.back();
  }
};

}  // namespace

extern const Stage kTree;
const Stage kTree{
    .name = "tree",
    .summary = "uniform over the plane binary trees with this leaf order; `shuffle | tree` is uniform over all trees",
    .source = "[Remy1985]",
    .parameters = {},
    .reduces = true,
    .guarantee = Guarantee::not_guaranteed,
    .random = [](const Arguments&) { return true; },
    .uniform = [](const Arguments&) { return true; },
    .fixed_form = []() -> std::optional<StageCall> { return pairwise_call(); },
    .count = [](const Arguments&, std::size_t, Format) { return std::size_t{1}; },
    .code = &kReduceCode<Tree>,
};

}  // namespace orderlab
