// polars: the sum of one chunk of floats without nulls, as Polars adds it.
#include <algorithm>

#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kPolarsBlock = 128;  // PAIRWISE_RECURSION_LIMIT
constexpr std::size_t kPolarsLanes = 16;   // STRIPE

// The remainder stands first and is added last: it moves to the end. Then there are the sums of lanes, of blocks, of
// all blocks, in each step with that of the remainder behind them.
Steps describe_polars(const Arguments&, std::size_t m, Format) {
  const std::size_t rest = m % kPolarsBlock;
  const std::size_t blocks = m / kPolarsBlock;
  steps::Add lanes;
  steps::Add halves{{}, {.tree = Combination::Tree::halves, .width = kPolarsLanes}};
  if (blocks > 0) {
    lanes.groups.push_back({.count = blocks,
                            .stride = kPolarsBlock,
                            .width = kPolarsLanes,
                            .step = kPolarsLanes,
                            .members = kPolarsBlock / kPolarsLanes,
                            .abreast = true});
    halves.groups.push_back({.count = blocks, .stride = kPolarsLanes, .members = kPolarsLanes});
  }
  if (rest > 0) {
    lanes.groups.push_back({.first = m - rest, .members = rest, .place = blocks * kPolarsLanes});
    halves.groups.push_back({.first = blocks * kPolarsLanes, .members = 1, .place = blocks});
  }
  const std::size_t run = std::max<std::size_t>(blocks, 1);
  const Steps pairwise{
      steps::split(run, 1, {.larger_first = false}, [](std::size_t size) -> Steps { return {steps::add_runs(size)}; })};
  return {{steps::Move{.start = rest % m}},
          {std::move(lanes)},
          {std::move(halves)},
          {steps::Within{run, pairwise, {steps::add_runs(1)}}},
          steps::add_runs(2, {.from_zero = true})};
}

}  // namespace

extern const Stage kPolars;
const Stage kPolars{
    .name = "polars",
    .summary =
        "sum of a Polars column in one chunk, without nulls: blocks of 128 by 16 lanes and halves, block sums by "
        "halves, "
        "then the first n mod 128 terms, added in turn",
    .source = "Polars, crates/polars-compute/src/float_sum.rs",
    .parameters = {},
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .describe = describe_polars,
};

}  // namespace orderlab
