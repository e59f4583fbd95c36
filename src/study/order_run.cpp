#include "study/order_run.hpp"

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
  return {order.expression(), evaluator->evaluate(0, *evaluator->make_scratch())};
}

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
  const Baseline baseline = evaluate_baseline(run, input, loop);

  SampledOrder report;
  report.name = run.order.name();
  report.expression = run.order.expression();
  report.arrival = arrival_of(run.order);
  report.guarantee = name_of(run.order.guarantee());
  report.random = run.order.random();
  report.random_count = evaluator->random_count();
  report.warnings = run.order.warnings(terms.n, about.formats.accumulate);
  CountedSamples counted = count(*evaluator, CountingFrame::make(about.exact, about.formats.result, run.max_distinct));
  report.samples = std::move(counted.samples);
  report.counts = std::move(counted.counts);
  if (report.counts.samples() == 0) return report;
  const Unstopped to_the_end;  // what was counted is told
  Measurement measurement(*evaluator, report.counts, about.exact, about.sum_abs);
  measurement.baseline_name = baseline.expression;
  measurement.baseline = baseline.result.value;
  measurement.samples_asked = run.samples;
  measurement.terms = terms;
  report.metrics = measure_all(measurement);
  return report;
}

}  // namespace orderlab::study
