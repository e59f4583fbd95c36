// cub_rake: what the 32 raking threads of a cub::BlockReduce add before their warp's tree.
#include "order/counts.hpp"
#include "order/stages/cub_thread.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kRaking = "raking";
constexpr std::string_view kCommutative = "commutative_only";
constexpr std::string_view kAlgorithms[] = {kRaking, kCommutative};
constexpr Parameter kCubRakeParameters[] = {
    {.name = "b", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "algorithm", .kind = ParameterKind::choice, .default_text = kRaking, .choices = kAlgorithms}};

constexpr std::size_t kRakers = 32;  // a warp; fewer where some would have nothing

// Each thread of the first warp keeps its own and takes a segment of the others'.
Steps gather(std::size_t b, Format accumulate) {
  const std::size_t registers = b / kRakers;
  const auto source = [=](std::size_t k) {
    const std::size_t raker = k / registers;
    const std::size_t item = k % registers;
    return item == 0 ? raker : kRakers + raker * (registers - 1) + item - 1;
  };
  return {steps::move(b, source), steps::add_runs(registers, cub_thread(registers, accumulate))};
}

Steps describe_cub_rake(const Arguments& arguments, std::size_t m, Format accumulate) {
  const std::size_t b = arguments.count(0);
  const bool gathers = arguments.choice(1) == kCommutative && b % kRakers == 0 && b > kRakers;
  const Steps rake{steps::add_runs(ceil_div(b, kRakers))};  // each raking thread takes a segment of its thread block
  return {{steps::Within{b, gathers && m >= b ? gather(b, accumulate) : rake, rake}}};
}

}  // namespace

extern const Stage kCubRake;
const Stage kCubRake{
    .name = "cub_rake",
    .summary =
        "each run of b is a thread block: raking threads add segments of ceil(b/32) left to right; commutative_only: "
        "32 of them add their own and a segment of the others, if b is a multiple of 32 above 32 and none is absent",
    .source = "CUB 3.0.1, block_reduce_raking.cuh and block_reduce_raking_commutative_only.cuh",
    .parameters = kCubRakeParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .describe = describe_cub_rake,
};

}  // namespace orderlab
