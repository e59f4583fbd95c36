// One order enumerated on one input, with everything that is measured: what `enumerate` and points of a sweep do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/order_run.hpp"
#include "orderlab/enumerate.hpp"

namespace orderlab {

/// In place of a number of samples: every order at once.
inline constexpr std::string_view kAllOrders = "all";

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

/// The orders that `order` can draw. Error(unsupported) with the reason, if they cannot be enumerated.
OrderSpace space_of(const Order& order, const Evaluator& evaluator);

/// Everything reported about an order whose results are known. `evaluator` is that of the order on `input`.
EnumeratedOrder measured(const OrderRun& run, const Evaluator& evaluator, const Input& input, Enumeration enumeration);

}  // namespace orderlab
