// chunks: consecutive chunks of as equal size as possible, a static schedule of t threads.
#include <algorithm>

#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr Parameter kParameters[] = {
    {.name = "t", .kind = ParameterKind::count, .default_text = "", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kAcc = 1;
constexpr int kFrom = 2;

struct Chunks {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const LeftToRight how = LeftToRight::read(context.arguments, kAcc, kFrom);
    const std::size_t t = context.arguments.count(0);
    std::size_t i = 0;
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] = left_to_right(arith, how, in.size() / t + (c < in.size() % t ? 1 : 0), [&] { return in[i++]; });
  }
};

}  // namespace

extern const Stage kChunks;
const Stage kChunks{
    .name = "chunks",
    .summary = "t consecutive chunks of as equal size as possible (the first m mod t one longer), each left to right",
    .source = "OpenMP 5.2, schedule(static)",
    .parameters = kParameters,
    .reduces = true,
    .guarantee = Guarantee::run_to_run,
    .check = [](const Arguments& arguments) { check_left_to_right(arguments, kAcc, kFrom, "chunks"); },
    .count = [](const Arguments& arguments, std::size_t m,
                Format) { return std::min<std::size_t>(m, arguments.count(0)); },
    .code = &kReduceCode<Chunks>,
};

}  // namespace orderlab
