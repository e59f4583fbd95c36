#include "study/arrival_advice.hpp"

#include <utility>
#include <variant>
#include <vector>

#include "orderlab/arrival.hpp"

namespace orderlab::study {

namespace {

// Draws that its mean is taken of.
constexpr std::uint64_t kAdviceDraws = 16;

const ArrivalCall* uniform_arrival(const StageCall& call) {
  for (const Argument& argument : call.arguments.values())
    if (const auto* arrival = std::get_if<ArrivalCall>(&argument); arrival != nullptr && arrival->model->uniform)
      return arrival;
  return nullptr;
}

double mean_tau(const ArrivalCall& call, std::size_t arriving, std::uint64_t seed) {
  double sum = 0;
  std::vector<std::uint32_t> order(arriving);
  for (std::uint64_t i = 0; i < kAdviceDraws; ++i) {
    call.model->draw(*call.arguments, RandomStream(seed, 0, i), order);
    sum += kendall_tau(order);
  }
  return sum / static_cast<double>(kAdviceDraws);
}

}  // namespace

std::optional<ArrivalAdvice> arrival_advice(const Order& order, std::size_t n, Format accumulate, std::size_t arriving,
                                            std::uint64_t seed) {
  const std::size_t first = order.first_random();
  if (first == order.stages().size() || uniform_arrival(order.stages()[first]) == nullptr) return std::nullopt;
  for (const NamedArrival& named : named_arrivals()) {
    const StageCall replacement = parse_order("arrive | seq", named.name).stages().front();
    std::vector<StageCall> stages = order.stages();
    for (StageCall& call : stages)
      if (call.stage == replacement.stage && uniform_arrival(call) != nullptr) call = replacement;
    if (stages[first].stage != replacement.stage || !Order({}, std::move(stages)).warnings(n, accumulate).empty())
      continue;
    const ArrivalCall call = std::get<ArrivalCall>(replacement.arguments.values().front());
    return ArrivalAdvice{std::string(named.name), mean_tau(call, arriving, seed)};
  }
  return std::nullopt;
}

}  // namespace orderlab::study
