// cub_tile: what the threads of one kernel of cub::DeviceReduce add before their thread block's tree.
#include <algorithm>
#include <array>

#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"
#include "order/stages/cub_load.hpp"
#include "order/stages/cub_thread_reduce.hpp"

namespace orderlab {

namespace {

constexpr Parameter kCubTileParameters[] = {
    {.name = "blocks", .kind = ParameterKind::count, .default_text = "", .low = 1}, kCubLoadParameter};

constexpr std::size_t kThreads = 256;  // of a thread block: Policy600, for every format
constexpr std::size_t kMostItems = 32;
constexpr std::size_t kVector = 4;  // items of one aligned load

// MemBoundScaling of Policy600's 16 items of 4 bytes: 8 of fp64, 16 of fp32, 32 of the 16-bit formats. The format is
// that of the sums, so that fp16:fp32 is TransformReduce with a conversion of each term.
constexpr std::size_t items_per_thread(Format accumulate) {
  const auto bytes = static_cast<std::size_t>(info(accumulate).bits) / 8;
  return std::clamp<std::size_t>(16 * 4 / bytes, 1, kMostItems);
}

struct CubTileShape {
  std::size_t items;
  std::size_t tile;
  std::size_t grid;  ///< thread blocks; thread block k takes the tiles k, k + grid, ...

  CubTileShape(const Arguments& arguments, std::size_t m, Format accumulate)
      : items(items_per_thread(accumulate)),
        tile(kThreads * items),
        grid(std::min<std::size_t>(ceil_div(m, tile), arguments.count(0))) {}

  /// Threads that have a term: all but some of the last thread block, where its only tile is partial.
  std::size_t threads(std::size_t m) const { return (grid - 1) * kThreads + std::min(kThreads, m - (grid - 1) * tile); }
};

/// One thread block at work; `sums` are those of its threads.
template <class A>
class CubBlock {
 public:
  using Value = typename A::Value;

  CubBlock(A& arith, const Input<A>& in, Output<A> sums, bool aligned)
      : arith_(arith), in_(in), sums_(sums), aligned_(aligned) {}

  void take(std::size_t begin, const CubTileShape& shape) {
    if (in_.size() - begin >= shape.tile)
      take_full(begin, shape.items);
    else
      take_partial(begin);
    first_ = false;
  }

 private:
  void take_full(std::size_t begin, std::size_t items) {
    std::array<Value, kMostItems + 1> registers;  // a sum of earlier tiles goes before the items
    for (std::size_t t = 0; t < kThreads; ++t) {
      std::size_t held = 0;
      if (!first_) registers[held++] = sums_[t];
      for (std::size_t i = 0; i < items; ++i) registers[held++] = in_[begin + position(t, i)];
      cub_thread_reduce(arith_, std::span(registers).first(held));
      sums_[t] = registers[0];
    }
  }

  /// Where in a full tile thread `t` finds its item `i`.
  std::size_t position(std::size_t t, std::size_t i) const {
    return aligned_ ? kVector * (t + kThreads * (i / kVector)) + i % kVector : t + kThreads * i;
  }

  // Never by vectors, and item by item.
  void take_partial(std::size_t begin) {
    for (std::size_t t = 0; t < sums_.size(); ++t) {
      std::size_t i = begin + t;
      if (first_) {
        sums_[t] = in_[i];
        i += kThreads;
      }
      for (; i < in_.size(); i += kThreads) sums_[t] = arith_.add(sums_[t], in_[i]);
    }
  }

  A& arith_;
  const Input<A>& in_;
  Output<A> sums_;
  bool aligned_;
  bool first_ = true;
};

struct CubTile {
  static std::size_t unit(const Arguments& arguments, std::size_t m, Format accumulate) {
    const CubTileShape shape(arguments, m, accumulate);
    return m <= shape.grid * shape.tile ? shape.tile : 0;
  }

  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const std::size_t m = in.size();
    const CubTileShape shape(context.arguments, m, kFormatOf<typename A::T>);
    const bool aligned = context.arguments.choice(1) == kCubAligned;
    A local = arith;  // a copy the compiler can keep in registers: nothing else can point at it
    for (std::size_t k = 0; k < shape.grid; ++k) {
      const std::size_t first = k * kThreads;
      CubBlock<A> block(local, in, out.subspan(first, std::min(kThreads, out.size() - first)), aligned);
      for (std::size_t begin = k * shape.tile; begin < m; begin += shape.grid * shape.tile) block.take(begin, shape);
    }
    arith = local;
  }
};

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
    .count = [](const Arguments& arguments, std::size_t m,
                Format accumulate) { return CubTileShape(arguments, m, accumulate).threads(m); },
    .code = &kReduceCode<CubTile>,
};

}  // namespace orderlab
