// A dot product of e4m3 numbers by mma.sync m16n8k32.
#pragma once

#include "cuda/tensor_dot.cuh"

namespace orderlab::cuda {

struct MmaE4m3 : TensorDot<TensorInstruction::mma, Format::e4m3> {
  static constexpr KernelInfo kInfo = info_of("mma_e4m3", "dot product by mma.sync m16n8k32, sums in fp32");
};

}  // namespace orderlab::cuda
