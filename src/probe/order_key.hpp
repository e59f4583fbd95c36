// What tells orders apart for a number of terms: a hash of every addition that they do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "orderlab/format.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

/// Equal for two orders if and only if they add n terms in the same tree with the same accumulators, but for hashes
/// that collide (64 bits). Left and right of an addition may be exchanged. That a sum starts from +0.0 and that an
/// atomic addition flushes subnormals does not count: bits differ by that only where terms are -0.0 or subnormal.
///
/// Shape:  a fixed order that does not sort by value, else Error(usage).
/// Errors: usage as Order::describe.
std::uint64_t order_key(const Order& order, std::size_t n, bool products, Format accumulate);

}  // namespace orderlab
