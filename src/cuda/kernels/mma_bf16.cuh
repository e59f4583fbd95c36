// A dot product of bf16 numbers by mma.sync m16n8k16.
#pragma once

#include "cuda/tensor_dot.cuh"

namespace orderlab::cuda {

struct MmaBf16 : TensorDot<TensorInstruction::mma, Format::bf16> {
  static constexpr KernelInfo kInfo = info_of("mma_bf16", "dot product by mma.sync m16n8k16, sums in fp32");
};

}  // namespace orderlab::cuda
