// The sum of all ranks' parts of a matrix product, as an all-reduce adds them within one host.
#pragma once

#include <cstddef>
#include <span>

#include "operation/all_reduce_kernels.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Where a number lies in what is reduced.
struct ReducedPlace {
  std::size_t first = 0;  ///< number of the row's first among all that are reduced at once
  std::size_t all = 1;    ///< how many these are
};

/// Sets out[i] to the sum of parts[r * stride + i] over all ranks r, each part a number of `format`, rounded to it.
///
/// one_shot adds in fp32 from rank 0 on; two_shot in fp32 from the rank on that has the number's chunk; both round
/// once. A ring adds in `format` from the rank after the chunk's on; a tree, on one host, in `format` from the last
/// rank down.
void add_ranks(const float* parts, std::size_t ranks, std::size_t stride, ReducedPlace place,
               AllReduceAlgorithm algorithm, Format format, std::span<float> out);

}  // namespace orderlab
