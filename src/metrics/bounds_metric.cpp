// The metric `bounds`: the bounds as JSON has them.
#include <vector>

#include "describe/kinds.hpp"
#include "metrics/metric_fields.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr std::string_view kNoBound = "where none is derived";

constexpr Field kRunningBoundFields[] = {
    value<&RunningBounds::min>("min", k::kMagnitude, "Least of the samples", {.null = kNoBound}),
    value<&RunningBounds::max>("max", k::kMagnitude, "Greatest of the samples", {.null = kNoBound}),
};
constexpr TableOf<RunningBounds> kRunningBounds{
    {.key = "running_bounds",
     .title = "Running bounds",
     .help = "D1, the bound that is proven for the additions that were done.",
     .fields = kRunningBoundFields,
     .shared = true}};

constexpr Field kProbabilisticBoundFields[] = {
    value<&ProbabilisticBound::value>("value", k::kMagnitude, "The bound", {.null = kNoBound}),
    value<&ProbabilisticBound::probability>("probability", k::kProbability, "Probability with which it holds"),
};
constexpr TableOf<ProbabilisticBound> kProbabilisticBound{
    {.key = "probabilistic_bound",
     .title = "Probabilistic bound",
     .help = "A bound that holds with a probability if rounding errors behave like independent random numbers.",
     .fields = kProbabilisticBoundFields,
     .shared = true}};

constexpr Field kSharedBoundFields[] = {
    part<&BoundSummary::running>("running", kRunningBounds),
    value<&BoundSummary::gamma>("gamma", k::kMagnitude,
                                "D2 = gamma_h sum|x|, proven for every order whose tree has height h",
                                {.null = kNoBound}),
    part<&BoundSummary::probabilistic>("probabilistic", kProbabilisticBound,
                                       "P3, a bound that holds with a probability"),
    value<&BoundSummary::any_order>("any_order", k::kMagnitude, "D3 = (n-1) u sum|x|, proven for every order",
                                    {.null = kNoBound}),
};
constexpr TableOf<BoundSummary> kSharedBounds{
    {.key = "shared_bounds", .title = "Bounds", .help = "Bounds on the absolute error.", .fields = kSharedBoundFields}};

constexpr Field kSampledBoundFields[] = {
    merged(kSharedBounds),
    part<&BoundSummary::higham_mary>("higham_mary", kProbabilisticBound, "P1, a bound that holds with a probability"),
};
constexpr TableOf<BoundSummary> kSampledBounds{{.key = "bounds",
                                                .title = "Bounds",
                                                .help = "Bounds on the absolute error, in the unit of the sum.",
                                                .fields = kSampledBoundFields,
                                                .shared = true}};
constexpr Field kSampledBoundsField = metric("bounds", kSampledBounds);

constexpr Field kBoundsOfAllOrdersFields[] = {
    merged(kSharedBounds),
    value<&BoundSummary::every_order>("every_order", k::kMagnitude, "Proven for every result of this order",
                                      {.null = kNoBound}),
};
constexpr TableOf<BoundSummary> kBoundsOfAllOrders{
    {.key = "bounds_of_all_orders",
     .title = "Bounds of all orders",
     .help = "Bounds on the absolute error of all orders, in the unit of the sum.",
     .fields = kBoundsOfAllOrdersFields,
     .shared = true}};
constexpr Field kBoundsOfAllOrdersField = metric("bounds", kBoundsOfAllOrders);

}  // namespace

}  // namespace orderlab::described

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
  if (m.evaluator.plan().changes_format()) summary.gamma = gamma_bound_of(m.evaluator.plan(), sum_abs, extra);
  summary.probabilistic.probability = kProbability;
  summary.any_order = any_order_bound(one.error.plain, accumulate, m.evaluator.term_count(), sum_abs, extra);
  summary.every_order = every_order_bound(m.evaluator, m.exact);
  return summary;
}

BoundSummary measure_bounds(const Measurement& m) {
  return m.samples != nullptr ? of_samples(m.evaluator, *m.samples, m.sum_abs) : of_all_orders(m);
}

constexpr MetricColumn kBoundColumns[] = {{"bound_running", "bounds.running.max"}};

}  // namespace

extern const Metric kBounds;
const Metric kBounds{
    .name = described::kSampledBoundsField.name,
    .unit = "as the sum",
    .summary =
        "proven bounds on |computed - exact|: D1 running, D2 gamma_h, D3 any order; P3 and P1 assume random roundings",
    .source = "[Higham1993], [Higham2002], [Rump2012], [JeannerodRump2013], [HallmanIpsen2023], [HighamMary2019]",
    .functions = kMeasuredBy<measure_bounds>,
    .of_samples = &described::kSampledBoundsField,
    .of_all_orders = &described::kBoundsOfAllOrdersField,
    .columns = kBoundColumns,
};

}  // namespace orderlab
