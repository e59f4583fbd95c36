// tree: a uniformly random plane binary tree over the partial sums in their order (Remy's algorithm).
#include <cstdint>
#include <vector>

#include "order/stage_code.hpp"
#include "order/stages/pairwise.hpp"
#include "orderlab/permutation.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kLeaf = ~std::uint64_t{0};

/// Children of each node; leaves have kLeaf as both. The root is node `root`.
struct PlaneTree {
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::uint64_t root = 0;

  // Grown leaf by leaf: a uniformly chosen node moves below a new inner node, the new leaf on a uniformly chosen side.
  // Step k, making leaf k + 1 of k + 1 >= 2, takes word k - 1. Source: [Remy1985].
  PlaneTree(std::size_t leaves, const RandomStream& stream)
      : left(2 * leaves - 1, kLeaf), right(2 * leaves - 1, kLeaf) {
    WordReader words(stream);
    for (std::uint64_t k = 1; k < leaves; ++k) {
      const std::uint64_t nodes = 2 * k - 1;
      const std::uint64_t pick = leaves >> 30 == 0 ? words.below(static_cast<std::uint32_t>(2 * nodes), k - 1)
                                                   : words.below_wide(2 * nodes, k - 1);
      const std::uint64_t at = pick / 2;
      const std::uint64_t moved = nodes;  // the chosen node's content moves here, so that its parent need not be found
      const std::uint64_t leaf = nodes + 1;
      left[moved] = left[at];
      right[moved] = right[at];
      left[at] = pick % 2 == 0 ? moved : leaf;
      right[at] = pick % 2 == 0 ? leaf : moved;
    }
  }
};

struct Tree {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const PlaneTree shape(in.size(), context.stream);
    // Post-order without recursion; a node is entered twice, the second time to add its children's sums.
    std::vector<std::uint64_t> path{shape.root};
    std::vector<bool> entered(shape.left.size(), false);
    std::vector<typename A::Value> sums;
    std::size_t next_leaf = 0;
    while (!path.empty()) {
      const std::uint64_t node = path.back();
      if (shape.left[node] == kLeaf) {
        sums.push_back(in[next_leaf++]);
        path.pop_back();
      } else if (!entered[node]) {
        entered[node] = true;
        path.push_back(shape.right[node]);
        path.push_back(shape.left[node]);
      } else {
        const auto right = sums.back();
        sums.pop_back();
        sums.back() = arith.add(sums.back(), right);
        path.pop_back();
      }
    }
    out[0] = sums.back();
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
