// Differences of some neighbouring outputs at a time, by vectors: what many samples are compared with stays in the
// nearest cache.
#pragma once

#include <array>
#include <cstddef>

#include "orderlab/output_differences.hpp"

namespace orderlab {

inline constexpr std::size_t kBlockOutputs = 64;
inline constexpr double kCodeOffset = 1e-8;  // as in the published code

/// A number for each output of a block.
using BlockNumbers = std::array<double, kBlockOutputs>;

/// What samples of a block are compared with.
struct alignas(64) OutputBlock {
  BlockNumbers launch;
  BlockNumbers base;
  BlockNumbers high;  ///< of ExactRows, like the next three
  BlockNumbers low;
  BlockNumbers ulp;
  BlockNumbers magnitude;
  std::size_t place = 0;  ///< of the first output in the tally
  std::size_t count = 0;
  bool inverts = false;  ///< inverts(x) of every ulp
};

/// |a - b| divided by each of three numbers; 0 where a equals b, or one of them is not finite.
struct alignas(64) BlockQuotients {
  BlockNumbers paper;
  BlockNumbers code;
  BlockNumbers robust;
};

/// Whether x may take part in products with 1/x, got by subtraction of exponents, instead of quotients, bit for bit: a
/// power of two, or a positive NaN, of an exact result that is none, whose products are never positive and raise nothing.
bool inverts(double x);

/// Sets to[i] to from[i].
void widen(const float* from, double* to, std::size_t n);

/// Compares results b of a block with its base a, counts them in `sum` and in the tally, and raises the largest
/// difference and error in `sum`. Leaves `first` and the sums of quotients to the caller.
///
/// Shape: block.count results.
void compare_block(const OutputBlock& block, const double* results, OutputTally& tally, OutputDifferences& sum,
                   BlockQuotients& quotients);

}  // namespace orderlab
