// The numbers of random_numbers.hpp and service_time.hpp for many blocks of a random stream at once, by vectors: bit
// for bit what the scalar functions give.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace orderlab {

/// Blocks of a random stream as philox_blocks() gives them: words 0 and 1, words 2 and 3 of each; of one size.
struct BlockWords {
  std::span<const std::uint64_t> low, high;
};

/// Sets x[k] to normal() of block k.
void normals(const BlockWords& blocks, std::span<double> x);

/// Sets v[k] to gamma_attempt() of block k.
void gamma_attempts(const BlockWords& blocks, double c, double d, std::span<double> v);

/// Multiplies each times[k] by U^power, U from words 0 and 1 of block k; power > 0.
void multiply_by_powers(const BlockWords& blocks, double power, std::span<double> times);

}  // namespace orderlab
