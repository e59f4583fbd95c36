// Differences of some neighbouring outputs at a time, by vectors with a sample in each lane: what many samples are
// compared with stays in the nearest cache, and every sample adds its quotients in turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orderlab/output_differences.hpp"

namespace orderlab {

inline constexpr std::size_t kBlockOutputs = 64;
inline constexpr std::size_t kBlockSamples = 8;  // lanes of the widest vectors
inline constexpr double kCodeOffset = 1e-8;      // as in the published code

/// A number for each output of a block.
using BlockNumbers = std::array<double, kBlockOutputs>;

/// What differences are divided by.
struct BlockDivisors {
  BlockNumbers numbers;
  BlockNumbers inverses;
};

/// What samples of a block are compared with. Arrays first, so that each is aligned to a vector.
struct alignas(64) OutputBlock {
  BlockNumbers launch;
  BlockNumbers base;
  BlockNumbers high;  ///< of ExactRows, like the next three
  BlockNumbers low;
  BlockNumbers ulp;
  BlockNumbers magnitude;

  // Set by prepare().
  BlockNumbers per_ulp;   ///< 1 / ulp where the block inverts
  BlockNumbers no_error;  ///< error in ulps of a result that is not finite
  BlockDivisors paper;
  BlockDivisors code;
  BlockDivisors robust;
  bool by_products = false;  ///< whether products with the inverses give quotients

  std::span<const std::uint32_t> outputs;  ///< their numbers, kBlockOutputs at most
  bool inverts = false;                    ///< inverts(x) of every ulp
  OutputTally* tally = nullptr;            ///< where samples are counted; null: nowhere
  std::size_t place = 0;                   ///< of the first output in the tally
};

/// Launch order and the baseline of a block, as results are stored.
template <class R>
struct StoredBlock {
  std::array<R, kBlockOutputs> launch;
  std::array<R, kBlockOutputs> base;
};

/// Results of a block, of some samples each.
using BlockResults = std::array<std::array<double, kBlockSamples>, kBlockOutputs>;

/// Samples of a block, one in each lane.
struct alignas(64) BlockSamples {
  BlockResults results;
  BlockResults against;  ///< what they are compared with instead of block.base, if `in_pairs`
  bool in_pairs = false;
  std::array<OutputDifferences*, kBlockSamples> sums{};
  std::size_t count = 0;
};

/// Whether x may take part in products with 1/x, got by subtraction of exponents, instead of quotients, bit for bit: a
/// power of two, or a positive NaN, of an exact result that is none, whose products are never positive and raise
/// nothing.
bool inverts(double x);

/// Sets what depends on the block alone. `high` becomes NaN where it is not finite.
void prepare(OutputBlock& block);

/// Compares samples with a prepared block: counts them in their sums and in the tally, adds their quotients and raises
/// the largest difference and error. Leaves `first` to the caller.
void compare_block(const OutputBlock& block, const BlockSamples& samples);

}  // namespace orderlab
