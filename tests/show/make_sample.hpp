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

  study::SampledOrder sampled;
  sampled.name = order.name();
  sampled.expression = order.expression();
  sampled.guarantee = name_of(order.guarantee());
  sampled.random = order.random();
  sampled.random_count = evaluator->random_count();
  if (sampled.random)
    for (const Argument& argument : order.stages()[order.first_random()].arguments.values())
      if (const auto* model = std::get_if<ArrivalCall>(&argument)) sampled.arrival = to_string(*model);

  sampled.advice = study::arrival_advice(order, terms.n, plan.formats.accumulate, sampled.random_count, plan.seed);

  const CountingFrame frame = CountingFrame::make(input.exact, plan.formats.result, plan.max_distinct);
  sampled.counts = ResultCounts(frame);
  SampleOptions options;
  std::vector<std::uint64_t> cuts = order.random() ? plan.cuts : std::vector<std::uint64_t>{};
  cuts.push_back(order.random() ? plan.samples : 1);
  for (const std::uint64_t cut : cuts) {
    options.end = cut;
    sampled.counts.merge(sample(*evaluator, frame, options));
    options.begin = cut;
  }
  Measurement measurement(*evaluator, sampled.counts, input.exact, input.sum_abs);
  measurement.baseline_name = baseline_order.expression();
  measurement.baseline = base.value;
  measurement.samples_asked = plan.samples;
  measurement.terms = terms;
  sampled.metrics = measure_all(measurement);
  return sampled;
}

/// `distribution` empty: the terms were given.
inline study::SampleFinding make_sample(const SamplePlan& plan, const Terms& terms,
                                        const std::string& distribution = "") {
  const TermView view = terms.view();
  study::SampleFinding finding;
  finding.input.n = view.n;
  finding.input.formats = plan.formats;
  finding.input.distribution = distribution;
  finding.input.input_seed = plan.seed;
  finding.input.products = view.products();
  finding.input.inexact_conversions = terms.inexact_conversions();
  finding.input.hash = terms.hash();
  finding.input.exact = exact_sum(view);
  finding.input.sum_abs = exact_sum_abs(view);
  finding.seed = plan.seed;
  finding.samples = plan.samples;
  finding.max_distinct = plan.max_distinct;
  for (const std::string& order : plan.orders) {
    finding.orders.push_back(make_sampled_order(plan, view, finding.input, order));
    finding.asked.push_back({finding.orders.back().expression, finding.orders.back().arrival, order});
  }
  return finding;
}

}  // namespace orderlab
