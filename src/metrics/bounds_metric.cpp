// The metric `bounds`: the bounds as JSON has them.
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

BoundSummary of_samples(const Evaluator& evaluator, const ResultCounts& counts, const ExactValue& sum_abs) {
  const std::vector<Bound> bounds = all_bounds(evaluator, counts, sum_abs);
  const auto value = [&](BoundKind kind) { return bounds[static_cast<std::size_t>(kind)].value; };
  BoundSummary summary;
  if (const auto range = counts.running_bounds()) summary.running = {range->min, range->max};
  summary.gamma = value(BoundKind::gamma);
  summary.probabilistic = {value(BoundKind::probabilistic), kProbability};
  summary.any_order = value(BoundKind::any_order);
  summary.higham_mary = {value(BoundKind::higham_mary), kProbability};
  return summary;
}

// What holds for all orders: of the additions of each one (D1, P3) nothing is known.
BoundSummary of_all_orders(const Measurement& m) {
  const Evaluation one = m.evaluator.evaluate(0, *m.evaluator.make_scratch());
  const Format accumulate = m.evaluator.formats().accumulate;
  const double sum_abs = m.sum_abs.to_double();
  const double extra = allowance(one.error);
  BoundSummary summary;
  if (m.evaluator.constant_height())
    summary.gamma = gamma_bound(one.error.plain, accumulate, one.height, sum_abs, extra);
  summary.probabilistic.probability = kProbability;
  summary.any_order = any_order_bound(one.error.plain, accumulate, m.evaluator.term_count(), sum_abs, extra);
  summary.every_order = every_order_bound(m.evaluator, m.exact);
  return summary;
}

BoundSummary measure_bounds(const Measurement& m) {
  return m.samples != nullptr ? of_samples(m.evaluator, *m.samples, m.sum_abs) : of_all_orders(m);
}

constexpr Field kRunningFields[] = {
    field<&RunningBounds::min>("min"),
    field<&RunningBounds::max>("max"),
};
constexpr Field kProbabilisticFields[] = {
    field<&ProbabilisticBound::value>("value"),
    field<&ProbabilisticBound::probability>("probability"),
};
constexpr Field kBoundFields[] = {
    group<&BoundSummary::running>("running", kRunningFields),
    field<&BoundSummary::gamma>("gamma"),
    group<&BoundSummary::probabilistic>("probabilistic", kProbabilisticFields),
    field<&BoundSummary::any_order>("any_order"),
    group<&BoundSummary::higham_mary>("higham_mary", kProbabilisticFields),
    field<&BoundSummary::every_order>("every_order"),
};
constexpr MetricColumn kBoundColumns[] = {column<&BoundSummary::running, &RunningBounds::max>("bound_running")};

}  // namespace

extern const Metric kBounds;
const Metric kBounds{
    .name = "bounds",
    .unit = "as the sum",
    .summary =
        "proven bounds on |computed - exact|: D1 running, D2 gamma_h, D3 any order; P3 and P1 assume random roundings",
    .source = "[Higham1993], [Higham2002], [Rump2012], [JeannerodRump2013], [HallmanIpsen2023], [HighamMary2019]",
    .functions = kMeasuredBy<measure_bounds>,
    .fields = kBoundFields,
    .columns = kBoundColumns,
};

}  // namespace orderlab
