// Every result of an order, with its exact probability.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/enumerate.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::study {

/// All results of an order on one input.
struct EnumeratedOrder {
  AskedOrder asked;
  std::string name;  ///< empty for an expression
  std::string guarantee;
  std::optional<std::uint64_t> height;  ///< where it is the same for all orders
  std::vector<std::string> warnings;
  Enumeration enumeration;
  Metrics metrics;
};

struct EnumerateRequest {
  Order order;
  /// Fixed order that Vs compares with; empty: same order, arrivals in launch order.
  std::optional<Order> baseline = {};
  std::uint64_t max_distinct = std::uint64_t{1} << 20;  ///< results that are listed before they are binned
  std::uint64_t seed = 1;                               ///< seed of the baseline's stages
  std::optional<double> memory_bytes = {};              ///< for all orders; empty: half of what is free
  int threads = 0;                                      ///< 0: all; findings never depend on it
};

struct EnumerateFinding {
  InputFacts input;
  EnumeratedOrder order;
  std::uint64_t max_distinct = 0;
  std::string baseline;  ///< expression of the one given; empty for the order's own

  bool binned() const { return order.enumeration.results.size() > max_distinct; }
};

/// Error(usage) for a request that no input could answer. enumerate() begins with it.
void validate(const EnumerateRequest& request);

/// Every result and its probability; empty when interrupted.
///
/// Errors: usage for an order that cannot add the terms; unsupported, with the reason, for one that cannot be
/// enumerated.
std::optional<EnumerateFinding> enumerate(const Input& input, const EnumerateRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
