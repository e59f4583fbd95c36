// A SampleFinding from the library's public pieces.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/order.hpp"
#include "orderlab/sample.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/terms.hpp"
#include "study/arrival_advice.hpp"

namespace orderlab {

/// What is sampled, and in which parts.
struct SamplePlan {
  std::vector<std::string> orders;
  Formats formats = {};
  std::uint64_t samples = 1000;
  std::vector<std::uint64_t> cuts = {};  ///< between 0 and samples, ascending: the parts are sampled apart and merged
  std::uint64_t seed = 1;
  std::uint64_t max_distinct = std::uint64_t{1} << 20;
};

inline study::SampledOrder make_sampled_order(const SamplePlan& plan, const TermView& terms,
                                              const study::InputFacts& input, const std::string& text) {
  const Order order = parse_order(text);
  const Order baseline_order = order.fixed_form();
  const auto evaluator = Evaluator::make(order, terms, plan.formats, plan.seed);
  const auto baseline = Evaluator::make(baseline_order, terms, plan.formats, plan.seed);
  const Evaluation base = baseline->evaluate(0, *baseline->make_scratch());

  study::SampledOrder report;
  report.name = order.name();
  report.expression = order.expression();
  report.guarantee = name_of(order.guarantee());
  report.random = order.random();
  report.random_count = evaluator->random_count();
  if (report.random)
    for (const Argument& argument : order.stages()[order.first_random()].arguments.values())
      if (const auto* model = std::get_if<ArrivalCall>(&argument)) report.arrival = to_string(*model);

  report.advice = study::arrival_advice(order, terms.n, plan.formats.accumulate, report.random_count, plan.seed);

  const CountingFrame frame = CountingFrame::make(input.exact, plan.formats.result, plan.max_distinct);
  report.counts = ResultCounts(frame);
  SampleOptions options;
  std::vector<std::uint64_t> cuts = order.random() ? plan.cuts : std::vector<std::uint64_t>{};
  cuts.push_back(order.random() ? plan.samples : 1);
  for (const std::uint64_t cut : cuts) {
    options.end = cut;
    report.counts.merge(sample(*evaluator, frame, options));
    options.begin = cut;
  }
  Measurement measurement(*evaluator, report.counts, input.exact, input.sum_abs);
  measurement.baseline_name = baseline_order.expression();
  measurement.baseline = base.value;
  measurement.samples_asked = plan.samples;
  measurement.terms = terms;
  report.metrics = measure_all(measurement);
  return report;
}

/// `distribution` empty: the terms were given.
inline study::SampleFinding make_sample(const SamplePlan& plan, const Terms& terms,
                                        const std::string& distribution = "") {
  const TermView view = terms.view();
  study::SampleFinding report;
  report.input.n = view.n;
  report.input.formats = plan.formats;
  report.input.distribution = distribution;
  report.input.input_seed = plan.seed;
  report.input.products = view.products();
  report.input.inexact_conversions = terms.inexact_conversions();
  report.input.hash = terms.hash();
  report.input.exact = exact_sum(view);
  report.input.sum_abs = exact_sum_abs(view);
  report.seed = plan.seed;
  report.samples = plan.samples;
  report.max_distinct = plan.max_distinct;
  for (const std::string& order : plan.orders) {
    report.orders.push_back(make_sampled_order(plan, view, report.input, order));
    report.asked.push_back({report.orders.back().expression, report.orders.back().arrival, order});
  }
  return report;
}

}  // namespace orderlab
