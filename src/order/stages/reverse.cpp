// reverse: last to first.
#include "order/stage_code.hpp"

namespace orderlab {

namespace {

struct Reverse {
  template <class A>
  static void arrange(const StageContext&, Input<A> in, Output<A> out) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[in.size() - 1 - i];
  }
};

}  // namespace

extern const Stage kReverse;
const Stage kReverse{
    .name = "reverse",
    .summary = "last to first",
    .source = "[Higham2002]",
    .parameters = {},
    .reduces = false,
    .guarantee = Guarantee::any_device,
    .code = &kArrangeCode<Reverse>,
};

}  // namespace orderlab
