#include "study/order_run.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::study {

std::string arrival_of(const Order& order) {
  const std::size_t first = order.first_random();
  if (first == order.stages().size()) return {};
  const StageCall& call = order.stages()[first];
  for (const Argument& argument : call.arguments.values())
    if (const auto* model = std::get_if<ArrivalCall>(&argument)) return to_string(*model);
  return {};
}

void require_fixed_baseline(const std::optional<Order>& baseline) {
  if (baseline && baseline->random())
    throw RequestError("baseline", baseline->expression(), "is random; name a fixed order such as sptr");
}

Baseline evaluate_baseline(const OrderRun& run, const Input& input, const Loop& loop) {
  const Order order = run.baseline != nullptr ? *run.baseline : run.order.fixed_form();
  const auto evaluator = Evaluator::make(order, input.terms.view(), input.facts.formats, run.seed, loop);
  return {order.expression(), evaluator->evaluate(0, *evaluator->make_scratch()).value};
}

namespace {

// Whether the order is fixed and compared with itself: then it is not summed twice.
bool is_own_baseline(const OrderRun& run) {
  return run.baseline == nullptr && !run.order.random() &&
         run.order.fixed_form().expression() == run.order.expression();
}

}  // namespace

SampledOrder run_order(const OrderRun& run, const Input& input, SampleOptions options) {
  if (!run.order.random()) {
    options.begin = 0;
    options.end = 1;
  }
  return measure_order(run, input, loop_on(options.threads),
                       [&](const Evaluator& evaluator, const CountingFrame& frame) {
                         ResultCounts counts = orderlab::sample(evaluator, frame, options);
                         const std::uint64_t end = options.begin + counts.samples();
                         return CountedSamples{SampleRanges({options.begin, end}), std::move(counts)};
                       });
}

SampledOrder measure_order(const OrderRun& run, const Input& input, const Loop& loop, const CountSamples& count) {
  const TermView terms = input.terms.view();
  const InputFacts& about = input.facts;
  const auto evaluator = Evaluator::make(run.order, terms, about.formats, run.seed, loop);
  std::optional<Baseline> baseline;
  if (!is_own_baseline(run)) baseline = evaluate_baseline(run, input, loop);

  SampledOrder sampled;
  sampled.name = run.order.name();
  sampled.expression = run.order.expression();
  sampled.arrival = arrival_of(run.order);
  sampled.guarantee = name_of(run.order.guarantee());
  sampled.random = run.order.random();
  sampled.random_count = evaluator->random_count();
  sampled.warnings = run.order.warnings(terms.n, about.formats.accumulate);
  CountedSamples counted = count(*evaluator, CountingFrame::make(about.exact, about.formats.result, run.max_distinct));
  sampled.samples = std::move(counted.samples);
  sampled.counts = std::move(counted.counts);
  if (sampled.counts.samples() == 0) return sampled;
  const Unstopped to_the_end;  // what was counted is told
  Measurement measurement(*evaluator, sampled.counts, about.exact, about.sum_abs);
  if (!baseline) baseline = {sampled.expression, sampled.counts.results().values.front().value};
  measurement.baseline_name = baseline->expression;
  measurement.baseline = baseline->value;
  measurement.samples_asked = run.samples;
  measurement.terms = terms;
  sampled.metrics = measure_all(measurement);
  return sampled;
}

}  // namespace orderlab::study
