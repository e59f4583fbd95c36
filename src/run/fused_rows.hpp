// Many rows of products, each through one chain of fused multiply-adds, a row in each lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orderlab/plan.hpp"

namespace orderlab {

/// The order of a chain's products.
struct FusedChain {
  std::span<const std::uint32_t> order;  ///< a permutation of all products of a row
  bool from_zero;                        ///< the first product is fused into +0.0; else it is rounded by itself
};

/// Whether fused_rows() knows the formats: fp32 or fp64 sums of terms that are such numbers.
bool can_fuse_rows(Format terms, Format accumulate);

/// Sets sums[r] to what the chain leaves of row r, a number of `accumulate`: bit for bit what Floats<Product> makes of
/// it, but for signs and payloads of NaN.
///
/// Shape: rows are products, sums.size() == rows.count, can_fuse_rows().
void fuse_rows(const TermRows& rows, Format accumulate, const FusedChain& chain, std::span<double> sums);

}  // namespace orderlab
