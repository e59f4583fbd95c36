// adjacent: neighbours first, the tree of CUB's warp reduce and of interleaved addressing.
#include <algorithm>
#include <vector>

#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"

namespace orderlab {

namespace {

constexpr Parameter kParameters[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1}};

struct Adjacent {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    A local = arith;
    const std::size_t k = context.arguments.count(0);
    std::vector<typename A::Value> v(std::min(k, in.size()));
    for (std::size_t r = 0; r < out.size(); ++r) {
      const std::size_t present = std::min(k, in.size() - r * k);
      for (std::size_t i = 0; i < present; ++i) v[i] = in[r * k + i];
      for (std::size_t o = 1; o < present; o *= 2)
        for (std::size_t i = 0; i + o < present; i += 2 * o) v[i] = local.add(v[i], v[i + o]);
      out[r] = v[0];
    }
    arith = local;
  }
};

}  // namespace

extern const Stage kAdjacent;
const Stage kAdjacent{
    .name = "adjacent",
    .summary = "each run of k: v[i] += v[i+o] for i = 0, 2o, 4o, ... and o = 1, 2, 4, ...: neighbours first",
    .source = "CUB WarpReduce; [Harris2007] (interleaved addressing)",
    .parameters = kParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .count = [](const Arguments& arguments, std::size_t m) { return runs_of(m, arguments.count(0)); },
    .code = &kReduceCode<Adjacent>,
};

}  // namespace orderlab
