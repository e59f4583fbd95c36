// One order sampled on one input, with everything that is measured: what `sample`, `sum` and every point of a sweep do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/arrival_advice.hpp"
#include "experiment/input.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/order.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

/// One order on that input.
struct OrderReport {
  std::string name;        ///< empty for an expression
  std::string expression;  ///< canonical
  std::string arrival;     ///< model of the first `arrive` that samples differ by; empty without one
  std::string guarantee;
  bool random = false;
  std::uint64_t random_count = 1;  ///< partial sums that the first random stage sees
  std::vector<std::string> warnings;
  std::optional<ArrivalAdvice> advice;  ///< where reports give it
  ResultCounts counts{CountingFrame{}};
  Metrics metrics;
};

/// An order as the user gave it.
struct AskedOrder {
  std::string expression;
  std::string arrival;     ///< as OrderReport::arrival
  std::string typed = {};  ///< the text that it was read from, where reports show it
};

/// Model of the first `arrive` that samples differ by, canonical; empty without one.
std::string arrival_of(const Order& order);

/// What to do with one order.
struct OrderRun {
  const Order& order;
  const Order* baseline = nullptr;  ///< null: the order's own fixed form
  std::uint64_t seed = 1;
  std::uint64_t samples = 1;  ///< of the whole experiment, of which `options` may be a part
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;
};

/// The fixed order that results are compared with.
struct Baseline {
  std::string expression;
  Evaluation result;
};

/// Sums `input` by the run's baseline. Error(usage) where that does not fit the terms.
Baseline evaluate_baseline(const OrderRun& run, const Input& input);

/// Samples the order on `input` as `options` say, a fixed order once, and measures; fewer samples when stopped.
/// Error(usage) where the order does not fit the terms.
OrderReport run_order(const OrderRun& run, const Input& input, SampleOptions options);

}  // namespace orderlab
