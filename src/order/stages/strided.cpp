// strided: w interleaved groups, the lanes of a vector loop or the threads of a grid-stride loop.
#include <algorithm>

#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"

namespace orderlab {

namespace {

constexpr Parameter kParameters[] = {
    {.name = "w", .kind = ParameterKind::count, .default_text = "", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kAcc = 1;
constexpr int kFrom = 2;

struct Strided {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const LeftToRight how = LeftToRight::read(context.arguments, kAcc, kFrom);
    const std::size_t w = context.arguments.count(0);
    for (std::size_t j = 0; j < out.size(); ++j) {
      std::size_t i = j;
      out[j] = left_to_right(arith, how, ceil_div(in.size() - j, w), [&] {
        const auto value = in[i];
        i += w;
        return value;
      });
    }
  }
};

}  // namespace

extern const Stage kStrided;
const Stage kStrided{
    .name = "strided",
    .summary = "w groups, group j takes j, j+w, j+2w, ... left to right: SIMD lanes, grid-stride loops",
    .source = "[Harris2007]",
    .parameters = kParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = [](const Arguments& arguments) { check_left_to_right(arguments, kAcc, kFrom, "strided"); },
    .count = [](const Arguments& arguments, std::size_t m,
                Format) { return std::min<std::size_t>(m, arguments.count(0)); },
    .code = &kReduceCode<Strided>,
};

}  // namespace orderlab
