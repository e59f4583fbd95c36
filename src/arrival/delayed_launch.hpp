// Launch order with every thread block delayed by some positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/arithmetic_guard.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// Sets x[i] to the normal number of block i of the stream.
void normal_numbers(const RandomStream& stream, std::span<double> x);

/// Sets `order` to the numbers of positions sorted by position, ties by number. No position is NaN; fewer than 2^32.
///
/// Cost: near linear where positions are spread over their range, as launch indices with delays are; never worse than
///       n log n. 8 bytes a position, and its 4 of `order`.
void sort_positions(std::span<const double> positions, std::span<std::uint32_t> order);

/// Sets `order` to the launch indices i sorted by i + spread(i) N_i, ties by i; N_i is the normal number of block i of
/// the stream. `spread` gives no NaN.
template <class Spread>
void delayed_launch(const RandomStream& stream, std::span<std::uint32_t> order, Spread spread) {
  const std::size_t m = order.size();
  const auto storage = std::make_unique_for_overwrite<double[]>(m);
  const std::span<double> positions(storage.get(), m);
  normal_numbers(stream, positions);
  for (std::size_t i = 0; i < m; ++i) positions[i] = static_cast<double>(i) + spread(i) * positions[i];
  sort_positions(positions, order);
}

}  // namespace orderlab
