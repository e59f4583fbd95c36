#include "experiment/point_estimate.hpp"

#include <algorithm>
#include <variant>

#include "orderlab/arrival.hpp"
#include "orderlab/evaluator.hpp"

namespace orderlab {

namespace {

// Nanoseconds, measured on one core of a 2-core x86-64 server with programs of this repository, rounded: to make a
// term, hash it and sum it exactly and by a baseline; to add a partial sum in a drawn place, its bounds included; to
// begin and measure a point; to count a result.
constexpr double kTermNs = 40;
constexpr double kPartialSumNs = 12;
constexpr double kPointNs = 300'000;
constexpr double kSampleNs = 400;

// To draw one arrival: uniformly, or by a model that draws real numbers.
constexpr double kUniformDrawNs = 5;
constexpr double kModelDrawNs = 100;

// A result in a hash table, in the counts of a chunk and of the whole.
constexpr double kResultBytes = 100;

double draw_ns(const Order& order) {
  const std::size_t first = order.first_random();
  if (first == order.stages().size()) return 0;
  for (const Argument& argument : order.stages()[first].arguments.values())
    if (const auto* arrival = std::get_if<ArrivalCall>(&argument))
      return arrival->model->uniform ? kUniformDrawNs : kModelDrawNs;
  return 0;
}

}  // namespace

PointEstimate estimate(const SweepPoint& point, int threads) {
  const InputReport& input = point.input;
  const auto n = static_cast<double>(input.n);
  const double samples = point.order->random() ? static_cast<double>(point.samples) : 1;
  std::size_t partial_sums = input.n;
  for (std::size_t i = 0; i < point.order->first_random(); ++i)
    partial_sums = count_left(point.order->stages()[i], partial_sums, input.formats.accumulate);
  const double sample_ns = kSampleNs + static_cast<double>(partial_sums) * (kPartialSumNs + draw_ns(*point.order));
  PointEstimate result;
  result.core_seconds = 1e-9 * (kPointNs + n * kTermNs + samples * sample_ns);
  result.memory_bytes = n * info(input.formats.terms).bits / 8 +
                        evaluator_memory_bytes(*point.order, input.n, false, input.formats, threads) +
                        kResultBytes * std::min(samples, static_cast<double>(point.max_distinct));
  return result;
}

}  // namespace orderlab
