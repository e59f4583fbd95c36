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

struct EnumerateFinding {
  InputFacts input;
  EnumeratedOrder order;
  std::uint64_t max_distinct = 0;
  std::string baseline;  ///< expression of the one given; empty for the order's own

  bool binned() const { return order.enumeration.results.size() > max_distinct; }
};

}  // namespace orderlab::study
