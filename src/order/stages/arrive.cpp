// arrive: the order in which partial sums reach a shared accumulator, drawn from an arrival model.
#include "order/stages/arrive.hpp"

#include "order/stage_code.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/permutation.hpp"

namespace orderlab {

namespace {

constexpr Parameter kArriveParameters[] = {
    {.name = "model", .kind = ParameterKind::arrival, .default_text = "uniform"}};

struct Arrive {
  template <class A>
  static void arrange(const StageContext& context, Input<A> in, Output<A> out) {
    const ArrivalCall& call = context.arguments.arrival(0);
    if (call.model->uniform) {  // the same permutation without its indices
      in.copy_to(out);
      return shuffle_values(out, context.stream);
    }
    const auto order = context.memory.array<std::uint32_t>(0, in.size());
    call.model->draw(*call.arguments, context.stream, order);
    for (std::size_t k = 0; k < order.size(); ++k) out[k] = in[order[k]];
  }
};

}  // namespace

extern const Stage kArrive;

StageCall arrive_call(ArrivalCall model) { return {&kArrive, Arguments({Argument(std::move(model))})}; }

const Stage kArrive{
    .name = "arrive",
    .summary = "permutation drawn from an arrival model; position k holds the k-th to arrive",
    .source = "[Shanmugavelu2024]",
    .parameters = kArriveParameters,
    .reduces = false,
    .guarantee = Guarantee::not_guaranteed,
    .random = [](const Arguments& arguments) { return arguments.arrival(0).model->random; },
    .uniform = [](const Arguments& arguments) { return arguments.arrival(0).model->uniform; },
    .fixed_form = []() -> std::optional<StageCall> {
      for (const ArrivalModel* model : arrival_models())
        if (!model->random) return arrive_call({model, std::make_shared<const Arguments>(), nullptr});
      return std::nullopt;
    },
    .check_count = [](const Arguments& arguments,
                      std::size_t m) { arguments.arrival(0).model->check(*arguments.arrival(0).arguments, m); },
    .code = &kArrangeCode<Arrive>,
};

}  // namespace orderlab
