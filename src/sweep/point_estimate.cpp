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

// Time to draw for one of the partial sums that a random stage sees.
double draw_ns(const StageCall& stage, std::size_t partial_sums, Format accumulate) {
  for (const Argument& argument : stage.arguments.values())
    if (const auto* arrival = std::get_if<ArrivalCall>(&argument))
      return arrival->model->uniform ? kUniformDrawNs : kModelDrawNs;
  return count_left(stage, partial_sums, accumulate) < partial_sums ? kTreeDrawNs : kUniformDrawNs;
}

// The dynamic program of enumerate.hpp over sequences, with a few tens of results a subset.
double walk_ns(double partial_sums) { return kSubsetNs * partial_sums * std::exp2(partial_sums); }

// Time to make a contribution, put it into its row, and sum the rows exactly; time to draw its place and add it.
// Many of them lie outside the caches.
constexpr double kContributionNs = 300;
constexpr double kContributionSampleNs = 10;
constexpr double kContributionsInCache = 0x1p20;
constexpr double kFarTimes = 4;
constexpr double kContributionBytes = 100;
constexpr double kOutputThreadBytes = 24;
constexpr double kSampleRecordBytes = 100;

/// Contributions of an operation: those that are made, those that each sample adds, and those that memory holds.
struct Contributing {
  double made = 0;
  double added = 0;
  double held = 0;
};

// Sums of rows are made where they stand; products are summed as they are made.
Contributing contributing(const SweepPoint& point) {
  constexpr double kPlainRow = 0.25;  // share of the work and memory of a contribution with an index
  constexpr double kPlainSample = 2;
  constexpr double kProduct = 0.04;
  constexpr double kSplits = 8;
  const PlannedOperation& planned = *point.operation;
  const TensorOperation& operation = *planned.call.operation;
  const auto argument = [&](std::size_t i) { return static_cast<double>(planned.call.arguments.count(i)); };
  if (!operation.needs_shape) {
    const double m = argument(0);
    const double n = argument(1);
    const double k = argument(2);
    return {kProduct * m * n * k, kSplits * m * n, m * k + k * n + kSplits * m * n};
  }
  double count = 1;
  if (planned.given != nullptr) {
    count = static_cast<double>(planned.given->source.terms.size());
  } else {
    const GeneratedInputs what = generated_inputs_of(point.config);
    for (const std::size_t extent : what.shape) count *= static_cast<double>(extent);
    if (operation.takes_index) count *= what.ratio;
    if (operation.name == "all_reduce") count *= argument(0);  // each rank has inputs of its own
  }
  double bins = 0;  // that the call asks for; a dimension is none worth counting
  if (operation.takes_index)
    for (const Argument& asked : planned.call.arguments.values())
      if (const auto* number = std::get_if<std::uint64_t>(&asked)) bins += static_cast<double>(*number);
  return operation.takes_order ? Contributing{kPlainRow * count, kPlainSample * count, kPlainRow * count}
                               : Contributing{count + kPlainRow * bins, count, count + bins};
}

PointEstimate operation_estimate(const SweepPoint& point, int threads) {
  const Contributing all = contributing(point);
  const bool fixed = point.order != nullptr && !point.order->random();
  const auto samples = static_cast<double>(fixed ? 1 : point.draws());
  const auto ns = [](double count, double each) {
    return each * (count + (kFarTimes - 1) * std::max(0.0, count - kContributionsInCache));
  };
  return {
      .core_seconds = 1e-9 * (kPointNs + ns(all.made, kContributionNs) +
                              samples * (kSampleNs + ns(all.added, kContributionSampleNs))),
      .memory_bytes = all.held * (kContributionBytes + threads * kOutputThreadBytes) + samples * kSampleRecordBytes};
}

}  // namespace

PointEstimate estimate(const SweepPoint& point, int threads) {
  if (point.operation != nullptr) return operation_estimate(point, threads);
  const PointConfig& config = point.config;
  const auto n = static_cast<double>(config.n);
  const Order& order = *point.order;
  const auto& stages = order.stages();
  AddFormat format{config.formats.accumulate, config.formats.accumulate};
  std::size_t partial_sums = config.n;
  double once_ns = kPointNs + n * kTermNs;
  double sample_ns = kSampleNs;
  double walked = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto count = static_cast<double>(partial_sums);
    if (i == order.first_random()) sample_ns += count * kPartialSumNs;
    if (is_random(stages[i])) sample_ns += count * draw_ns(stages[i], partial_sums, format.add);
    if (i == order.first_random() && !study::arrival_of(order).empty())
      once_ns += count * kArrivalNs * static_cast<double>(std::min(arrival_draws(partial_sums), point.draws()));
    if (i == order.first_random()) walked = count;
    const Steps steps = describe(stages[i], partial_sums, format.add);
    partial_sums = count_left(steps, partial_sums);
    format = format_after(steps, format);
  }
  const auto samples = static_cast<double>(point.draws());
  if (config.all_orders && order.random()) once_ns += walk_ns(walked);
  PointEstimate result;
  result.core_seconds = 1e-9 * (once_ns + samples * sample_ns);
  result.memory_bytes = n * static_cast<double>(info(config.formats.terms).held_bytes()) +
                        evaluator_memory_bytes(order, config.n, false, config.formats, threads) +
                        kResultBytes * std::min(samples, static_cast<double>(config.max_distinct));
  return result;
}

}  // namespace orderlab
