#include "study/compared_orders.hpp"

#include "study/bound_order.hpp"
#include "study/order_run.hpp"

namespace orderlab::study {

ComparedOrder compared_order(const OtherOrder& other, const InputFacts& input) {
  const Order& order = other.order;
  const Formats formats = other.formats(input.formats);
  return {order.name(), {order.expression(), arrival_of(order)}, formats, order.warnings(input.n, formats.accumulate)};
}

ComparedEvaluators make_compared(const Input& input, const Order& order, const OtherOrder* other, std::uint64_t seed,
                                 int threads) {
  const Formats& formats = input.facts.formats;
  ComparedEvaluators compared{make_evaluator(order, input, formats, seed, threads), nullptr};
  if (other != nullptr)
    compared.other = make_evaluator(other->order, input, other->formats(formats), seed_of_other(seed), threads);
  return compared;
}

}  // namespace orderlab::study
