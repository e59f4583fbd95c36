// The kernel that index_add runs.
#pragma once

#include <cstddef>

#include "orderlab/operation.hpp"

namespace orderlab {

/// Elements of the source that a thread block adds at a time, and its threads.
inline constexpr std::size_t kIndexAddThreads = 128;

/// The launch for `indices` slices of `slice` elements.
Launch index_add_launch(std::size_t indices, std::size_t slice, const Device& device);

}  // namespace orderlab
