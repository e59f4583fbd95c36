// tile: what the threads of thread blocks add before their block's tree.
#include <limits>
#include <string>

#include "order/counts.hpp"
#include "order/left_to_right.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kTileParameters[] = {{.name = "b", .kind = ParameterKind::count, .default_text = "", .low = 1},
                                         {.name = "items", .kind = ParameterKind::count, .default_text = "", .low = 1},
                                         {.name = "grid", .kind = ParameterKind::count, .default_text = "-", .low = 1},
                                         kAccumulateParameter};
constexpr std::size_t kTileAcc = 3;
constexpr int kNoFrom = -1;

// Thread t of thread block k takes terms (k * items + i) * b + t; with fewer thread blocks than tiles it strides on.
Steps describe_tile(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t b = arguments.count(0);
  const std::size_t items = arguments.count(1);
  const std::size_t tile = b * items;
  const std::size_t tiles = ceil_div(m, tile);
  Groups threads{.count = tiles, .stride = tile, .width = b, .step = b, .members = items};
  if (arguments.has(2) && arguments.count(2) < tiles) {
    threads.count = arguments.count(2);
    threads.members = Groups::kAll;
    threads.items = items;
    threads.pass = threads.count * tile;
  }
  Combination how = left_to_right(arguments, kTileAcc, kNoFrom);
  how.from_zero = true;
  return {steps::add(threads, how)};
}

void check_tile(const Arguments& arguments) {
  check_left_to_right(arguments, kTileAcc, kNoFrom, "tile");
  if (arguments.count(0) > std::numeric_limits<std::uint32_t>::max() / arguments.count(1))
    throw Error(ErrorKind::usage, "tile: b * items is too large (below 2^32)");
}

}  // namespace

extern const Stage kTile;
const Stage kTile{
    .name = "tile",
    .summary =
        "thread t of thread block k of b threads starts from +0.0 and adds terms (k*items+j)*b+t, j = 0 .. items-1, "
        "then repeats in strides of the whole grid",
    .source = "[Shanmugavelu2024], [Harris2007]",
    .parameters = kTileParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_tile,
    .describe = describe_tile,
};

}  // namespace orderlab
