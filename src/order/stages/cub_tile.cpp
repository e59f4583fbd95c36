// cub_tile: what the threads of one kernel of cub::DeviceReduce add before their thread block's tree.
#include <algorithm>

#include "order/counts.hpp"
#include "order/stages/cub_load.hpp"
#include "order/stages/cub_thread.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr Parameter kCubTileParameters[] = {
    {.name = "blocks", .kind = ParameterKind::count, .default_text = "", .low = 1}, kCubLoadParameter};

constexpr std::size_t kThreads = 256;  // threads in a thread block: Policy600, for every format
constexpr std::size_t kMostItems = 32;
constexpr std::size_t kVector = 4;  // items of one aligned load

// MemBoundScaling of Policy600's 16 items of 4 bytes: 8 of fp64, 16 of fp32, 32 of the 16-bit formats. The format is
// that of the sums, so that fp16:fp32 is TransformReduce with a conversion of each term.
constexpr std::size_t items_per_thread(Format accumulate) {
  const auto bytes = static_cast<std::size_t>(info(accumulate).bits) / 8;
  return std::clamp<std::size_t>(16 * 4 / bytes, 1, kMostItems);
}

Steps describe_cub_tile(const Arguments& arguments, std::size_t m, Format accumulate) {
  const std::size_t items = items_per_thread(accumulate);
  const std::size_t tile = kThreads * items;
  // Thread t finds its item i at t + 256 i; where loads are aligned, at 4 (t + 256 (i / 4)) + i % 4.
  const Groups striped{.width = kThreads, .step = kThreads};
  Groups threads = striped;
  if (arguments.choice(1) == kCubAligned)
    threads = {.count = kThreads, .stride = kVector, .members = items, .items = kVector, .pass = kVector * kThreads};
  return {{steps::Fold{.tile = tile,
                       .blocks = std::min<std::size_t>(ceil_div(m, tile), arguments.count(0)),
                       .join = steps::Fold::Join::first,
                       .initial = {steps::add(threads, cub_thread(items, accumulate))},
                       .later = {steps::add(threads, cub_thread(1 + items, accumulate))},
                       .rest = {steps::add(striped)}}}};  // never by vectors, and item by item
}

}  // namespace

extern const Stage kCubTile;
const Stage kCubTile{
    .name = "cub_tile",
    .summary =
        "`blocks` thread blocks of 256 threads take tiles in turn; each thread adds 8 (sums in fp64), 16 (fp32) or 32 "
        "(fp16, bf16) items of a tile as cub::ThreadReduce does; aligned: loads of four neighbours",
    .source = "CUB 3.0.1, agent_reduce.cuh and Policy600 of tuning_reduce.cuh",
    .parameters = kCubTileParameters,
    .reduces = true,
    .guarantee = Guarantee::run_to_run,
    .describe = describe_cub_tile,
};

}  // namespace orderlab
