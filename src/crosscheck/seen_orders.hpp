// The orders in which a kernel without a claim is seen to add.
#pragma once

#include <cstddef>
#include <vector>

#include "orderlab/crosscheck.hpp"

namespace orderlab {

/// Those of one launch shape of the kernel, one for each of options.sizes, in ascending order; fewer when stopped.
/// Orders that hold at all sizes come first in each.
///
/// Sizes up to 1024 are probed, the largest first, and usual orders of the launch shape are tried first. A kernel
/// without float atomics is run with another schedule in every call; one with them in launch order, and then its sums,
/// under drawn schedules, are compared with that order in which the partial sums arrive as they did. Beyond, orders
/// that were seen at smaller sizes are compared with its sums.
///
/// Errors: as kernel_box.
std::vector<SeenOrder> seen_orders(const Executor& executor, const Formats& formats, std::size_t shape,
                                   const CrossCheckOptions& options);

}  // namespace orderlab
