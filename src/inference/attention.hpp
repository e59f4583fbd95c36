// Attention of one query: a softmax by blocks of keys with a running maximum, in one or several splits.
#pragma once

#include <cstddef>
#include <vector>

#include "operation/attention_kernels.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Keys and values of one head.
struct HeadMemory {
  const float* keys;    ///< as put_key places them
  const float* values;  ///< key by key
  std::size_t dim;
  std::size_t count;  ///< of keys
};

/// What attention rounds beside its sums, which are fp32.
struct AttentionRounding {
  Format probabilities = Format::bf16;  ///< e^(score - maximum), before it multiplies the values
  Format output = Format::bf16;         ///< and the splits' outputs, and their groups', where the kernel rounds them
};

/// Room that is reused from call to call.
struct AttentionRoom {
  std::vector<float> scores;
  std::vector<float> weights;
  std::vector<float> parts;
};

/// Sets out to the weighted mean of the values.
///
/// Scores are chains of fused multiply-adds, divided by sqrt(dim). Each split goes through its blocks of keys, e^(score
/// - m) with the largest score m so far; where m grows, what was summed is scaled. Probabilities are added in fp32 by
/// four threads, each its columns, then as (0 + 2) + (1 + 3); values as a chain of fused multiply-adds. The kernel
/// says what is rounded and how splits are added.
///
/// Shape:  a kernel whose weights are quotients has one block of keys in a split.
/// Source: [Dao2023], csrc/flash_attn/src/softmax.h and flash_fwd_kernel.h; what differs in other libraries is in the
///         files that their kernels name.
void attend(const float* query, const HeadMemory& memory, const AttentionKernel& kernel,
            const AttentionRounding& rounding, AttentionRoom& room, float* out);

}  // namespace orderlab
