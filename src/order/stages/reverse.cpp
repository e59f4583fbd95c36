// reverse: last to first.
#include "orderlab/order.hpp"

namespace orderlab {

extern const Stage kReverse;
const Stage kReverse{
    .name = "reverse",
    .summary = "last to first",
    .source = "[Higham2002]",
    .parameters = {},
    .reduces = false,
    .guarantee = Guarantee::any_device,
    .describe = [](const Arguments&, std::size_t m, Format) -> Steps {
      return {{steps::Move{.start = m - 1, .backwards = true}}};
    },
};

}  // namespace orderlab
