// tree: a uniformly random plane binary tree over the partial sums in their order.
#include "order/stages/pairwise.hpp"

namespace orderlab {

extern const Stage kTree;
const Stage kTree{
    .name = "tree",
    .summary = "uniform over the plane binary trees with this leaf order; `shuffle | tree` is uniform over all trees",
    .source = "[Remy1985]",
    .parameters = {},
    .reduces = true,
    .guarantee = Guarantee::not_guaranteed,
    .fixed_form = [](const Arguments&) -> std::optional<StageCall> { return pairwise_call(); },
    .describe = [](const Arguments&, std::size_t, Format) -> Steps {
      return {steps::add({}, {.tree = Combination::Tree::drawn})};
    },
};

}  // namespace orderlab
