// seq: left to right, everything or each run of k.
#include <algorithm>

#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"

namespace orderlab {

namespace {

constexpr Parameter kParameters[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = "-", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kAcc = 1;
constexpr int kFrom = 2;

std::size_t run_length(const Arguments& arguments, std::size_t m) { return arguments.has(0) ? arguments.count(0) : m; }

struct Seq {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const LeftToRight how = LeftToRight::read(context.arguments, kAcc, kFrom);
    const std::size_t k = run_length(context.arguments, in.size());
    for (std::size_t r = 0; r < out.size(); ++r) {
      std::size_t i = r * k;
      out[r] = left_to_right(arith, how, std::min(k, in.size() - i), [&] { return in[i++]; });
    }
  }
};

std::optional<LeftToRight> one_group(const Arguments& arguments, std::size_t m) {
  if (run_length(arguments, m) < m) return std::nullopt;
  return LeftToRight::read(arguments, kAcc, kFrom);
}

constexpr StageCode kCode{detail::AllMeanings::reduce<Seq>(), {}, one_group};

}  // namespace

extern const Stage kSeq;
const Stage kSeq{
    .name = "seq",
    .summary = "left to right: everything, or each run of k consecutive partial sums",
    .source = "[Higham1993] (recursive summation)",
    .parameters = kParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = [](const Arguments& arguments) { check_left_to_right(arguments, kAcc, kFrom, "seq"); },
    .count = [](const Arguments& arguments, std::size_t m, Format) { return runs_of(m, run_length(arguments, m)); },
    .code = &kCode,
};

}  // namespace orderlab
