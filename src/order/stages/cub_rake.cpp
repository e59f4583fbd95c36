// cub_rake: what the 32 raking threads of a cub::BlockReduce add before their warp's tree.
#include <algorithm>
#include <vector>

#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"
#include "order/stages/cub_thread_reduce.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kRaking = "raking";
constexpr std::string_view kCommutative = "commutative_only";
constexpr std::string_view kAlgorithms[] = {kRaking, kCommutative};
constexpr Parameter kCubRakeParameters[] = {
    {.name = "b", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "algorithm", .kind = ParameterKind::choice, .default_text = kRaking, .choices = kAlgorithms}};

constexpr std::size_t kRakers = 32;  // a warp; fewer where some would have nothing

struct CubRake {
  static constexpr auto& unit = run_unit;

  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const std::size_t b = context.arguments.count(0);
    const bool gathers = context.arguments.choice(1) == kCommutative && b % kRakers == 0 && b > kRakers;
    std::size_t done = 0;
    for (std::size_t begin = 0; done < out.size(); begin += b) {
      const std::size_t present = std::min(b, in.size() - begin);
      done += gathers && present == b ? gather(arith, in, begin, b, out.subspan(done))
                                      : rake(arith, in, begin, present, ceil_div(b, kRakers), out.subspan(done));
    }
  }

  // Each raking thread takes a segment of its thread block, left to right. Returns the sums written.
  template <class A>
  static std::size_t rake(A& arith, const Input<A>& in, std::size_t begin, std::size_t present, std::size_t segment,
                          Output<A> out) {
    const std::size_t rakers = ceil_div(present, segment);
    for (std::size_t r = 0; r < rakers; ++r) {
      std::size_t i = begin + r * segment;
      out[r] = left_to_right(arith, {}, std::min(segment, begin + present - i), [&] { return in[i++]; });
    }
    return rakers;
  }

  // Each thread of the first warp keeps its own and takes a segment of the others'.
  template <class A>
  static std::size_t gather(A& arith, const Input<A>& in, std::size_t begin, std::size_t b, Output<A> out) {
    const std::size_t segment = (b - kRakers) / kRakers;
    std::vector<typename A::Value> registers(1 + segment);
    for (std::size_t r = 0; r < kRakers; ++r) {
      registers[0] = in[begin + r];
      for (std::size_t i = 0; i < segment; ++i) registers[1 + i] = in[begin + kRakers + r * segment + i];
      cub_thread_reduce(arith, std::span(registers));
      out[r] = registers[0];
    }
    return kRakers;
  }
};

std::size_t count(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t b = arguments.count(0);
  const std::size_t segment = ceil_div(b, kRakers);
  return m / b * ceil_div(b, segment) + ceil_div(m % b, segment);
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
    .count = count,
    .code = &kReduceCode<CubRake>,
};

}  // namespace orderlab
