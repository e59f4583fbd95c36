// A dot product of tf32 numbers by mma.sync m16n8k8.
#pragma once

#include "cuda/tensor_dot.cuh"

namespace orderlab::cuda {

struct MmaTf32 : TensorDot<TensorInstruction::mma, Format::tf32> {
  static constexpr KernelInfo kInfo = info_of("mma_tf32", "dot product by mma.sync m16n8k8, sums in fp32");
};

}  // namespace orderlab::cuda
