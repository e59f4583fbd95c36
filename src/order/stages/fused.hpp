// The stage whose steps are those of a unit, by its name.
#pragma once

#include <string>
#include <string_view>

#include "orderlab/order.hpp"

namespace orderlab {

inline constexpr std::string_view kFusedStageName = "fused";

/// Whether a unit adds products in the order, in a stage of it or in an order that is an argument.
inline bool names_unit(const Order& order) {
  return order.expression().find(std::string(kFusedStageName) + "(") != std::string::npos;
}

}  // namespace orderlab
