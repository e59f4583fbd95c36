// Which small products are lost beside two large ones that cancel, as each kind of step has it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orderlab/fused.hpp"

namespace orderlab {

/// Steps of `length` products; a new sum begins after each `run` of them, where that is not 0. A length of n stands for
/// n or more.
struct FusedShape {
  FusedStep step;
  std::size_t length;
  std::size_t run = 0;
};

/// Products lost, the two large ones included, where products 0 and j of n are M and -M and all others too small to be
/// kept beside M. Shape: 0 < j < n. `floored` is as `aligned`.
std::size_t lost_products(const FusedShape& shape, std::size_t n, std::size_t j);

/// The shapes that lose lost[j - 1] products for j = 1 .. n - 1, where n = lost.size() + 1. Those without runs first.
std::vector<FusedShape> shapes_that_lose(std::span<const std::size_t> lost);

/// Products that a step of the shape aligns with product 0, of n, that one included: their places, in turn.
std::vector<std::size_t> aligned_places(const FusedShape& shape, std::size_t n);

}  // namespace orderlab
