// The stacks that people serve models with: which libraries add.
#pragma once

#include <span>
#include <string_view>

#include "operation/all_reduce_kernels.hpp"
#include "operation/attention_kernels.hpp"
#include "operation/norm_kernels.hpp"
#include "orderlab/serving.hpp"

namespace orderlab {

struct StackKernels {
  ServingStack stack;
  NormLibrary norm;
  AttentionLibrary attention;
  AllReduceLibrary all_reduce;
  bool one_split = false;        ///< of attention
  bool batch_invariant = false;  ///< thread blocks of RMSNorm and the algorithm of the all-reduce are pinned
};

/// Error(usage) with the nearest name.
const StackKernels& stack_named(std::string_view name);

}  // namespace orderlab
