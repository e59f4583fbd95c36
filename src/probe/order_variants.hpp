// Orders with the same tree and other accumulators or starts.
#pragma once

#include <optional>
#include <vector>

#include "orderlab/probe.hpp"
#include "probe/asked_box.hpp"

namespace orderlab {

/// The order, and with acc=fma at its first stage for products, else with acc=kahan, where the stage has that option.
std::vector<Order> variants(const Order& order, bool products);

/// The order with another start: from=zero at its last stage that takes it, or without from= at all. Empty where
/// no stage takes it.
std::optional<WrittenOrder> with_start(const Order& order, bool from_zero);

/// Whether terms that are all -0.0 add up to +0.0 in this order.
bool starts_from_zero(const Order& order, const AskedBox& box, const Formats& formats);

}  // namespace orderlab
