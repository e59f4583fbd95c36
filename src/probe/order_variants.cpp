#include "probe/order_variants.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "order/left_to_right.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "probe/few_terms.hpp"

namespace orderlab {

namespace {

// The stage with another word, or none ("") for the parameter that has these choices; empty where it has no such
// parameter, or may not have that word.
std::optional<StageCall> with_choice(const StageCall& call, std::span<const std::string_view> choices,
                                     std::string_view choice) {
  const auto parameters = call.stage->parameters;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (parameters[p].choices.data() != choices.data()) continue;
    std::vector<Argument> arguments = call.arguments.values();
    arguments.resize(parameters.size());
    if (choice.empty())
      arguments[p].emplace<std::monostate>();
    else
      arguments[p].emplace<std::string_view>(choice);
    StageCall other{call.stage, Arguments(std::move(arguments))};
    try {
      if (call.stage->check != nullptr) call.stage->check(other.arguments);
    } catch (const Error&) {
      return std::nullopt;
    }
    return other;
  }
  return std::nullopt;
}

std::optional<Order> with_stage(const Order& order, std::size_t i, const std::optional<StageCall>& call) {
  if (!call) return std::nullopt;
  std::vector<StageCall> stages = order.stages();
  stages[i] = *call;
  return Order({}, std::move(stages));
}

// As parse_order reads its text, so that it has its canonical form.
Order reread(const Order& order) { return parse_order(order.expression()); }

}  // namespace

std::vector<Order> variants(const Order& order, bool products) {
  std::vector<Order> all{order};
  const auto& stages = order.stages();
  const auto first =
      std::find_if(stages.begin(), stages.end(), [](const StageCall& call) { return call.stage->reduces; });
  if (first == stages.end()) return all;
  const auto place = static_cast<std::size_t>(first - stages.begin());
  if (auto other = with_stage(order, place, with_choice(*first, kAccumulateNames, products ? "fma" : "kahan")))
    all.push_back(reread(*other));
  return all;
}

std::optional<WrittenOrder> with_start(const Order& order, bool from_zero) {
  std::optional<Order> changed;
  for (std::size_t i = order.stages().size(); i-- > 0;) {
    const Order& so_far = changed ? *changed : order;
    auto other = with_stage(so_far, i, with_choice(so_far.stages()[i], kFromNames, from_zero ? "zero" : ""));
    if (!other) continue;
    changed = std::move(other);
    if (from_zero) break;
  }
  if (!changed) return std::nullopt;
  Order order_read = reread(*changed);
  return WrittenOrder{order_read.expression(), std::move(order_read)};
}

bool starts_from_zero(const Order& order, const AskedBox& box, const Formats& formats) {
  Terms terms = zeros(box);
  for (std::size_t i = 0; i < terms.size(); ++i) terms.set(i, -0.0);
  const auto evaluator = Evaluator::make(order, terms.view(), formats, 1);
  const auto scratch = evaluator->make_scratch();
  return !std::signbit(evaluator->evaluate(0, *scratch).value);
}

}  // namespace orderlab
