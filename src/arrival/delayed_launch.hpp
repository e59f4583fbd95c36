// Launch order with every thread block delayed by some positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orderlab/arrival.hpp"
#include "orderlab/parameters.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// Sets x[i] to the normal number of block i of the stream at `attempt`.
void normal_numbers(const RandomStream& stream, std::span<double> x, std::uint16_t attempt = 0);

/// Sets `order` to the numbers of positions sorted by position, ties by number. No position is NaN; fewer than 2^32.
///
/// Cost: near linear where positions are spread over their range, as launch indices with delays are; never worse than
///       n log n. 8 bytes a position, and its 4 of `order`.
void sort_positions(std::span<const double> positions, std::span<std::uint32_t> order);

/// Sets s[k] to the spread of unit first + k of m, where s_i^2 goes in equal steps from begin^2 for i = 0 to end^2 for
/// i = m - 1: independent delays add up by their variances.
void growing_spreads(double begin, double end, std::size_t m, std::size_t first, std::span<double> s);

/// Sets `order` to the units sorted as `key` says, with delays of the stream (philox.hpp has the layout). A share
/// `steady` of the variance of every delay is the same in all samples:
/// delay_i = sqrt(steady) d_i(input) + sqrt(1 - steady) d_i(input, sample), in [0, 1]; at 0 the first part is not
/// drawn.
void delayed_launch(const SortKey& key, const Arguments& arguments, const RandomStream& stream,
                    std::span<std::uint32_t> order, double steady = 0);

}  // namespace orderlab
