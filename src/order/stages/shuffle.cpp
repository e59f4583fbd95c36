// shuffle: a uniformly random permutation, a fresh one in every sample.
#include <algorithm>

#include "order/stage_code.hpp"
#include "orderlab/permutation.hpp"

namespace orderlab {

namespace {

struct Shuffle {
  template <class A>
  static void arrange(const StageContext& context, Input<A> in, Output<A> out) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i];
    shuffle_values(out, context.stream);
  }
};

}  // namespace

extern const Stage kShuffle;
const Stage kShuffle{
    .name = "shuffle",
    .summary = "uniformly random permutation, a fresh one in every sample",
    .source = "[Knuth1998] (Fisher-Yates), [Lemire2019] (bounded integers)",
    .parameters = {},
    .reduces = false,
    .guarantee = Guarantee::not_guaranteed,
    .random = [](const Arguments&) { return true; },
    .uniform = [](const Arguments&) { return true; },
    .fixed_form = []() -> std::optional<StageCall> { return std::nullopt; },
    .code = &kArrangeCode<Shuffle>,
};

}  // namespace orderlab
