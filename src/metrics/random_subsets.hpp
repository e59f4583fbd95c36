// Sums of random subsets of the same numbers, many at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orderlab {

/// The sums of `draws` subsets of x. Subset s is drawn from (seed, streams::kGoodnessOfFit, s) alone: every number is
/// in it with probability 1/2.
///
/// Error: each sum is off by at most x.size() u sum|x|.
/// Cost:  x.size() / 128 Philox blocks and x.size() / 8 additions a draw.
std::vector<double> random_subset_sums(std::span<const double> x, std::uint64_t seed, std::uint64_t draws);

/// The same of subsets with exactly `size` numbers, all of which are equally likely.
///
/// Shape: size <= x.size() / 2, x.size() < 2^32.
/// Error: at most 2 x.size() u sum|x| each.
/// Cost:  of uneven sizes up to eight times as many blocks, and x.size() / 64 corrections a draw.
std::vector<double> random_subset_sums(std::span<const double> x, std::size_t size, std::uint64_t seed,
                                       std::uint64_t draws);

}  // namespace orderlab
