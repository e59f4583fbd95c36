// adjacent: neighbours first, the tree of CUB's warp reduce and of interleaved addressing.
#include "orderlab/stage.hpp"

namespace orderlab {

namespace {

constexpr Parameter kAdjacentParameters[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1}};

}  // namespace

extern const Stage kAdjacent;
const Stage kAdjacent{
    .name = "adjacent",
    .summary = "each run of k: v[i] += v[i+o] for i = 0, 2o, 4o, ... and o = 1, 2, 4, ...: neighbours first",
    .source = "CUB WarpReduce; [Harris2007] (interleaved addressing)",
    .parameters = kAdjacentParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .describe = [](const Arguments& arguments, std::size_t, Format) -> Steps {
      return {steps::add_runs(arguments.count(0), {.tree = Combination::Tree::neighbours})};
    },
};

}  // namespace orderlab
