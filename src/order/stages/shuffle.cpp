// shuffle: a uniformly random permutation, a new one for every sample.
#include "orderlab/order.hpp"

namespace orderlab {

extern const Stage kShuffle;
const Stage kShuffle{
    .name = "shuffle",
    .summary = "uniformly random permutation, a new one for every sample",
    .source = "[Knuth1998] (Fisher-Yates), [Lemire2019] (bounded integers)",
    .parameters = {},
    .reduces = false,
    .guarantee = Guarantee::not_guaranteed,
    .fixed_form = [](const Arguments&) -> std::optional<StageCall> { return std::nullopt; },
    .describe = [](const Arguments&, std::size_t, Format) -> Steps {
      return {{steps::Move{.kind = steps::Move::Kind::uniform}}};
    },
};

}  // namespace orderlab
