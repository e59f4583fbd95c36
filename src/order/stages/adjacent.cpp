// adjacent: neighbours first, the tree of CUB's warp reduce and of interleaved addressing.
#include "order/rest.hpp"

namespace orderlab {

namespace {

constexpr Parameter kAdjacentParameters[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1},
                                             kRestParameter};
constexpr std::size_t kAdjacentRest = 1;

Steps describe_adjacent(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t k = arguments.count(0);
  const Combination how{.tree = Combination::Tree::neighbours};
  if (!keeps_rest(arguments, kAdjacentRest)) return {steps::add_runs(k, how)};
  return add_and_keep({.count = m / k, .stride = k, .members = k}, how, m - m % k, m);
}

}  // namespace

extern const Stage kAdjacent;
const Stage kAdjacent{
    .name = "adjacent",
    .summary =
        "each run of k: v[i] += v[i+o] for i = 0, 2o, 4o, ... and o = 1, 2, 4, ...: neighbours first; rest=keep leaves "
        "a "
        "run shorter than k as it is",
    .source = "CUB WarpReduce; [Harris2007] (interleaved addressing)",
    .parameters = kAdjacentParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .describe = describe_adjacent,
};

}  // namespace orderlab
