#include "study/enumerated_order.hpp"

#include <utility>

#include "orderlab/error.hpp"

namespace orderlab::study {

OrderSpace space_of(const Order& order, const Evaluator& evaluator) {
  require_countable(evaluator);
  RecognizedSpace recognized = order_space(evaluator);
  if (!recognized.space)
    throw Error(ErrorKind::unsupported, "order " + order.expression() + ": cannot be enumerated, " + recognized.reason +
                                            "; `orderlab sample` draws from it");
  return *std::move(recognized.space);
}

EnumeratedOrder measured(const OrderRun& run, const Evaluator& evaluator, const Input& input, Enumeration enumeration) {
  const Order& order = run.order;
  const Baseline baseline = evaluate_baseline(run, input);
  EnumeratedOrder all;
  all.asked = {order.expression(), arrival_of(order)};
  all.name = order.name();
  all.guarantee = name_of(order.guarantee());
  all.height = evaluator.constant_height();
  all.warnings = order.warnings(input.terms.view().n, input.facts.formats.accumulate);
  all.enumeration = std::move(enumeration);
  Measurement measurement(evaluator, all.enumeration.results, input.facts.exact, input.facts.sum_abs);
  measurement.baseline_name = baseline.expression;
  measurement.baseline = baseline.value;
  all.metrics = measure_all(measurement);
  return all;
}

}  // namespace orderlab::study
