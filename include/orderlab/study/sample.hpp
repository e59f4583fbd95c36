// How far does a sum move? One or more orders sampled on one input; and what one fixed order gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/counts.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// A recorded arrival model for what arrives in an order.
struct ArrivalAdvice {
  std::string arrival;  ///< a named one
  double tau;           ///< mean Kendall tau to launch order of the arrivals it draws here
};

/// An order that was asked about.
struct AskedOrder {
  std::string expression;
  std::string arrival;     ///< as SampledOrder::arrival
  std::string typed = {};  ///< the text that it was read from, where its caller gives that
};

/// What was found for one order.
struct SampledOrder {
  std::string name;        ///< empty for an expression
  std::string expression;  ///< canonical
  std::string arrival;     ///< model of the first `arrive` that samples differ by; empty without one
  std::string guarantee;
  bool random = false;
  std::uint64_t random_count = 1;  ///< partial sums that the first random stage sees
  std::vector<std::string> warnings;
  std::optional<ArrivalAdvice> advice;  ///< in place of uniform arrivals
  SampleRanges samples;                 ///< that are counted
  ResultCounts counts{CountingFrame{}};
  Metrics metrics;
};

struct SampleRequest {
  std::vector<Order> orders;              ///< one or more, sampled one after the other
  std::uint64_t samples = 1000;           ///< orders to draw; a fixed order is evaluated once
  std::optional<SampleRange> range = {};  ///< draw only these of them
  /// Fixed order that Vs compares with; empty: same order, arrivals in launch order.
  std::optional<Order> baseline = {};
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;  ///< results kept before they are binned
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all; findings never depend on it

  /// Samples of each order that are known, and are not drawn again; a fixed order has none. Empty: none are known.
  std::vector<CountedSamples> known = {};
  bool draws = true;  ///< false: what is known is measured

  /// Called from time to time, and when an order is done or interrupted, with all samples of it that there are; from
  /// one thread. What it throws ends the work.
  std::function<void(std::size_t order, const CountedSamples& samples)> keep = {};
};

struct SampleFinding {
  InputFacts input;
  std::vector<AskedOrder> asked;     ///< all of them, in the order given
  std::vector<SampledOrder> orders;  ///< those done; fewer only when interrupted
  std::uint64_t seed = 1;
  std::uint64_t samples = 0;         ///< asked for
  std::optional<SampleRange> range;  ///< part of them
  std::uint64_t max_distinct = 0;
  std::string baseline;  ///< expression of the one given; empty for each order's own
  bool partial = false;  ///< interrupted; or of known samples, some are missing
};

/// Error(usage) for a request that no input could answer. sample() begins with it.
void validate(const SampleRequest& request);

/// Draws and measures. A finding without orders was interrupted before the first sample. With known samples its range
/// is that of all there are, known and drawn, the same for every order; empty where that is all that are asked for.
///
/// Errors: usage for an order that cannot add the terms; unsupported for more memory than is free; input for known
/// counts of another frame.
SampleFinding sample(const Input& input, const SampleRequest& request, const Watch& watch = {});

struct SumRequest {
  Order order;  ///< fixed
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all; findings never depend on it
};

/// One order, evaluated once. Without orders when interrupted before that.
struct SumFinding : SampleFinding {
  /// The sum and its bits in the result format. Shape: orders not empty.
  double value() const;
  std::uint64_t bits() const;
};

/// Errors: usage for a random order, or one that cannot add the terms; unsupported for more memory than is free.
SumFinding sum(const Input& input, const SumRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
