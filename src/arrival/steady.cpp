// A model whose delays are partly the same in every sample, as if the same thread blocks were slow in every run.
#include <fmt/format.h>

#include <string>

#include "arrival/delayed_launch.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"

namespace orderlab {
namespace {

constexpr Parameter kSteadyParameters[] = {
    {.name = "model", .kind = ParameterKind::arrival, .default_text = ""},
    {.name = "rho", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = 1},
};

std::string models_with_keys() {
  std::string names;
  for (const ArrivalModel* model : arrival_models())
    if (model->key != nullptr) names += (names.empty() ? "" : ", ") + std::string(model->name);
  return names;
}

void check_steady(const Arguments& arguments, std::size_t m) {
  const ArrivalCall& call = arguments.arrival(0);
  if (call.model->key == nullptr)
    throw Error(ErrorKind::usage, fmt::format("steady: {} does not sort by a key; models that do: {}", call.model->name,
                                              models_with_keys()));
  call.model->check(*call.arguments, m);
}

/// delay_i = sqrt(rho) d_i(input) + sqrt(1 - rho) d_i(input, sample): d_i(input) depends on key and stream alone.
void draw_steady(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  const ArrivalCall& call = arguments.arrival(0);
  delayed_launch(*call.model->key, *call.arguments, stream, order, arguments.real(1));
}

}  // namespace

extern constinit const ArrivalModel kSteadyArrival{
    .name = "steady",
    .summary = "another model, where a share rho of the variance of every delay is the same in all samples of a seed",
    .source = "orderlab; normal numbers of [BoxMuller1958]",
    .parameters = kSteadyParameters,
    .random = true,
    .steady = true,
    .check = check_steady,
    .draw = draw_steady,
};

}  // namespace orderlab
