// halving: the far partner first, a shuffle-down warp tree or a shared-memory tree with sequential addressing.
#include <bit>
#include <string>

#include "order/stage_code.hpp"
#include "order/stages/runs.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kParameters[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1}};

struct Halving {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const std::size_t k = context.arguments.count(0);
    reduce_runs(k, arith, in, out, [k](A& local, std::span<typename A::Value> v) {
      for (std::size_t o = k / 2; o > 0; o /= 2)
        for (std::size_t l = 0; l < o && l + o < v.size(); ++l) v[l] = local.add(v[l], v[l + o]);
    });
  }
};

void check(const Arguments& arguments) {
  const std::uint64_t k = arguments.count(0);
  if (std::has_single_bit(k)) return;
  std::string near = std::to_string(std::bit_floor(k));
  if (k < std::uint64_t{1} << 63) near += " or " + std::to_string(std::bit_ceil(k));
  throw Error(ErrorKind::usage, "halving(" + std::to_string(k) + "): k must be a power of two, such as " + near);
}

}  // namespace

extern const Stage kHalving;
const Stage kHalving{
    .name = "halving",
    .summary = "each run of k (a power of two): v[l] += v[l+o] for o = k/2, ..., 2, 1: far partner first",
    .source = "[Harris2007]; shuffle-down by 16, 8, 4, 2, 1",
    .parameters = kParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check,
    .count = [](const Arguments& arguments, std::size_t m, Format) { return runs_of(m, arguments.count(0)); },
    .code = &kReduceCode<Halving>,
};

}  // namespace orderlab
