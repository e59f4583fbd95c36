#include "sweep/point_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "orderlab/arrival.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/metrics.hpp"
#include "study/order_run.hpp"

namespace orderlab {

namespace {

// Nanoseconds, measured on one core of a 2-core x86-64 server with programs of this repository, rounded: to make a
// term, hash it and sum it exactly and by a baseline; to add a partial sum in a drawn place, its bounds included; to
// begin and measure a point; to count a result.
constexpr double kTermNs = 40;
constexpr double kPartialSumNs = 5;
constexpr double kPointNs = 300'000;
constexpr double kSampleNs = 400;

// To draw one arrival: uniformly, or by a model that draws real numbers; one node of a random tree.
constexpr double kUniformDrawNs = 5;
constexpr double kModelDrawNs = 80;
constexpr double kTreeDrawNs = 60;

// To draw one arrival for its Kendall taus and to count the pairs that it inverts.
constexpr double kArrivalNs = 125;

// To walk all orders, for each partial sum of each subset.
constexpr double kSubsetNs = 100;

// A result in a hash table, in the counts of a chunk and of the whole.
constexpr double kResultBytes = 100;

// Of one of the partial sums that a random stage sees.
double draw_ns(const StageCall& stage, std::size_t partial_sums, Format accumulate) {
  for (const Argument& argument : stage.arguments.values())
    if (const auto* arrival = std::get_if<ArrivalCall>(&argument))
      return arrival->model->uniform ? kUniformDrawNs : kModelDrawNs;
  return count_left(stage, partial_sums, accumulate) < partial_sums ? kTreeDrawNs : kUniformDrawNs;
}

// The dynamic program of enumerate.hpp over sequences, with a few tens of results a subset.
double walk_ns(double partial_sums) { return kSubsetNs * partial_sums * std::exp2(partial_sums); }

// Of operations: to make a contribution, put it into its row, and sum the rows exactly; to draw its place and add it.
constexpr double kContributionNs = 250;
constexpr double kContributionSampleNs = 8;
constexpr double kContributionBytes = 120;
constexpr double kContributionThreadBytes = 24;
constexpr double kSampleRecordBytes = 100;

double contributions_of(const SweepPoint& point) {
  const PlannedOperation& planned = *point.operation;
  if (planned.given != nullptr) return static_cast<double>(planned.given->source.terms.size());
  const GeneratedInputs what = generated_inputs_of(point.config);
  double count = what.ratio;
  for (const std::size_t extent : what.shape) count *= static_cast<double>(extent);
  if (what.shape.empty())
    for (std::size_t i = 0; i < 3; ++i) count *= static_cast<double>(planned.call.arguments.count(i));
  return count;
}

PointEstimate operation_estimate(const SweepPoint& point, int threads) {
  const double count = contributions_of(point);
  const auto samples = static_cast<double>(point.draws());
  return {
      .core_seconds =
          1e-9 * (kPointNs + count * kContributionNs + samples * (kSampleNs + count * kContributionSampleNs)),
      .memory_bytes = count * (kContributionBytes + threads * kContributionThreadBytes) + samples * kSampleRecordBytes};
}

}  // namespace

PointEstimate estimate(const SweepPoint& point, int threads) {
  if (point.operation != nullptr) return operation_estimate(point, threads);
  const PointConfig& config = point.config;
  const auto n = static_cast<double>(config.n);
  const Order& order = *point.order;
  const auto& stages = order.stages();
  const Format accumulate = config.formats.accumulate;
  std::size_t partial_sums = config.n;
  double once_ns = kPointNs + n * kTermNs;
  double sample_ns = kSampleNs;
  double walked = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto count = static_cast<double>(partial_sums);
    if (i == order.first_random()) sample_ns += count * kPartialSumNs;
    if (is_random(stages[i])) sample_ns += count * draw_ns(stages[i], partial_sums, accumulate);
    if (i == order.first_random() && !study::arrival_of(order).empty())
      once_ns += count * kArrivalNs * static_cast<double>(std::min(arrival_draws(partial_sums), point.draws()));
    if (i == order.first_random()) walked = count;
    partial_sums = count_left(stages[i], partial_sums, accumulate);
  }
  const auto samples = static_cast<double>(point.draws());
  if (config.all_orders && order.random()) once_ns += walk_ns(walked);
  PointEstimate result;
  result.core_seconds = 1e-9 * (once_ns + samples * sample_ns);
  result.memory_bytes = n * info(config.formats.terms).bits / 8 +
                        evaluator_memory_bytes(order, config.n, false, config.formats, threads) +
                        kResultBytes * std::min(samples, static_cast<double>(config.max_distinct));
  return result;
}

}  // namespace orderlab
