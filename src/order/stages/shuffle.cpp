// shuffle: a uniformly random permutation, a new one for every sample.
#include "order/stage_code.hpp"
#include "orderlab/permutation.hpp"

namespace orderlab {

namespace {

struct Shuffle {
  template <class A>
  static void arrange(const StageContext& context, Input<A> in, Output<A> out) {
    in.copy_to(out);
    shuffle_values(out, context.stream);
  }
};

}  // namespace

extern const Stage kShuffle;
const Stage kShuffle{
    .name = "shuffle",
    .summary = "uniformly random permutation, a new one for every sample",
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
