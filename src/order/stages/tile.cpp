// tile: what the threads of thread blocks add before their block's tree.
#include <algorithm>
#include <limits>
#include <string>

#include "order/grouped.hpp"
#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kTileParameters[] = {{.name = "b", .kind = ParameterKind::count, .default_text = "", .low = 1},
                                         {.name = "items", .kind = ParameterKind::count, .default_text = "", .low = 1},
                                         {.name = "grid", .kind = ParameterKind::count, .default_text = "-", .low = 1},
                                         kAccumulateParameter};
constexpr std::size_t kTileAcc = 3;
constexpr int kNoFrom = -1;

struct TileShape {
  std::size_t b;
  std::size_t items;
  std::size_t tile;
  std::size_t grid;  ///< thread blocks that have a term; further ones are absent

  TileShape(const Arguments& arguments, std::size_t m)
      : b(arguments.count(0)), items(arguments.count(1)), tile(b * items), grid(ceil_div(m, tile)) {
    if (arguments.has(2)) grid = std::min<std::size_t>(grid, arguments.count(2));
  }

  /// Whether every thread block has one tile at most.
  bool one_pass(std::size_t m) const { return m <= grid * tile; }

  /// Threads that have a term: all but some at the end of the last thread block.
  std::size_t threads(std::size_t m) const { return (grid - 1) * b + std::min(b, m - (grid - 1) * tile); }
};

struct Tile {
  static std::size_t unit(const Arguments& arguments, std::size_t m, Format) {
    const TileShape shape(arguments, m);
    return shape.one_pass(m) ? shape.tile : 0;
  }

  /// Where no thread block strides on.
  template <class Visit>
  static void groups(const Arguments& arguments, std::size_t m, Visit visit) {
    LeftToRight how = LeftToRight::read(arguments, kTileAcc, kNoFrom);
    how.from_zero = true;
    const TileShape shape(arguments, m);
    Groups full{.count = m / shape.tile, .stride = shape.tile, .width = shape.b, .step = shape.b};
    full.members = shape.items;
    if (full.count > 0) visit(full, how);
    const std::size_t rest = m % shape.tile;
    if (rest == 0) return;
    const std::size_t threads = std::min(shape.b, rest);
    visit(Groups{.first = m - rest,
                 .width = threads,
                 .step = shape.b,
                 .members = rest / threads,
                 .place = full.groups(),
                 .longer = rest % threads},
          how);
  }

  static HeightRuns heights(const StageContext& context, Format format, std::size_t left, const HeightRuns& in) {
    const bool grouped = TileShape(context.arguments, in.size()).one_pass(in.size());
    return grouped ? Grouped<Tile>::heights(context, format, left, in)
                   : heights_one_by_one<Tile>(context, format, left, in);
  }

  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    LeftToRight how = LeftToRight::read(context.arguments, kTileAcc, kNoFrom);
    how.from_zero = true;
    const std::size_t m = in.size();
    const TileShape shape(context.arguments, m);
    if (shape.one_pass(m)) return Grouped<Tile>::reduce(context, arith, in, out);
    const std::size_t stride = shape.grid * shape.tile;
    for (std::size_t thread = 0; thread < out.size(); ++thread) {
      const std::size_t first = thread / shape.b * shape.tile + thread % shape.b;
      const std::size_t full_passes = (m - first) / stride;
      const std::size_t last_pass = first + full_passes * stride;
      const std::size_t rest = last_pass < m ? std::min(shape.items, ceil_div(m - last_pass, shape.b)) : 0;
      std::size_t pass = first;
      std::size_t item = 0;
      out[thread] = left_to_right(arith, how, full_passes * shape.items + rest, [&] {
        const auto value = in[pass + item * shape.b];
        if (++item == shape.items) {
          item = 0;
          pass += stride;
        }
        return value;
      });
    }
  }
};

void check_tile(const Arguments& arguments) {
  check_left_to_right(arguments, kTileAcc, kNoFrom, "tile");
  if (arguments.count(0) > std::numeric_limits<std::uint32_t>::max() / arguments.count(1))
    throw Error(ErrorKind::usage, "tile: b * items is too large (below 2^32)");
}

constexpr StageCode kTileCode{
    .reduce = detail::AllMeanings::reduce<Tile>(), .heights = Tile::heights, .unit = Tile::unit};

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
    .count = [](const Arguments& arguments, std::size_t m, Format) { return TileShape(arguments, m).threads(m); },
    .code = &kTileCode,
};

}  // namespace orderlab
