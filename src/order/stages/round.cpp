// round: partial sums rounded to a format, as those that are written to memory in it.
#include "order/stages/format_parameter.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr Parameter kRoundParameters[] = {
    {.name = "format", .kind = ParameterKind::choice, .default_text = "", .choices = kFormatNames}};

}  // namespace

extern const Stage kRound;
const Stage kRound{
    .name = "round",
    .summary = "each partial sum is rounded to a format, to nearest, ties to even; what follows adds as before",
    .source = "IEEE 754-2019, formatOf-convertFormat",
    .parameters = kRoundParameters,
    .reduces = false,
    .guarantee = Guarantee::any_device,
    .describe = [](const Arguments& arguments, std::size_t, Format) -> Steps {
      return {{steps::Round{format_of(arguments.choice(0))}}};
    },
};

}  // namespace orderlab
