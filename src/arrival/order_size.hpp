// The size limit that all arrival models share.
#pragma once

#include <cstddef>

namespace orderlab {

/// Error(unsupported) if `m` partial sums are too many for 32-bit launch indices: 2^32 or more.
void check_order_size(std::size_t m);

}  // namespace orderlab
