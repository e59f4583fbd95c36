// Which spaces of orders are small enough to be walked without asking.
#pragma once

#include "orderlab/order_space.hpp"

namespace orderlab {

/// Whether enumerate() is to be tried before sampling: it takes seconds, and counts fit into 63 bits.
bool worth_enumerating(const OrderSpace& space);

}  // namespace orderlab
