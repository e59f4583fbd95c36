// arrive: the order in which partial sums reach a shared accumulator, drawn from an arrival model.
#include "order/stages/arrive.hpp"

#include "orderlab/arrival.hpp"

namespace orderlab {

namespace {

constexpr Parameter kArriveParameters[] = {
    {.name = "model", .kind = ParameterKind::arrival, .default_text = "uniform"}};

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
    .fixed_form = [](const Arguments&) -> std::optional<StageCall> {
      for (const ArrivalModel* model : arrival_models())
        if (!model->random) return arrive_call({model, std::make_shared<const Arguments>(), nullptr});
      return std::nullopt;
    },
    .check_count = [](const Arguments& arguments,
                      std::size_t m) { arguments.arrival(0).model->check(*arguments.arrival(0).arguments, m); },
    .describe = [](const Arguments& arguments, std::size_t, Format) -> Steps {
      return {{steps::Move{.kind = steps::Move::Kind::arrive, .arrival = arguments.arrival(0)}}};
    },
};

}  // namespace orderlab
