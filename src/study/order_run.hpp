// One order sampled on one input, with everything that is measured: what `sample`, `sum` and every point of a sweep do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/order.hpp"
#include "orderlab/sample.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::study {

/// Model of the first `arrive` that samples differ by, canonical; empty without one.
std::string arrival_of(const Order& order);

/// What to do with one order.
struct OrderRun {
  const Order& order;
  const Order* baseline = nullptr;  ///< null: the order's own fixed form
  std::uint64_t seed = 1;
  std::uint64_t samples = 1;  ///< samples of the whole sampling, of which `options` may be a part
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;
};

/// The fixed order that results are compared with.
struct Baseline {
  std::string expression;
  double value;
};

/// RequestError for a random one.
void require_fixed_baseline(const std::optional<Order>& baseline);

/// Sums `input` by the run's baseline. Error(usage) where that does not fit the terms.
Baseline evaluate_baseline(const OrderRun& run, const Input& input, const Loop& loop = serial_loop);

/// Samples the order on `input` as `options` say, a fixed order once, and measures; fewer samples when stopped.
/// Error(usage) where the order does not fit the terms.
SampledOrder run_order(const OrderRun& run, const Input& input, SampleOptions options);

/// Samples of an order, drawn or known.
using CountSamples = std::function<CountedSamples(const Evaluator& evaluator, const CountingFrame& frame)>;

/// Measures the samples that `count` gives.
SampledOrder measure_order(const OrderRun& run, const Input& input, const Loop& loop, const CountSamples& count);

}  // namespace orderlab::study
