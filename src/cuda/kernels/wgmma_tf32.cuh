// A dot product of tf32 numbers by wgmma m64n8k8.
#pragma once

#include "cuda/tensor_dot.cuh"

namespace orderlab::cuda {

struct WgmmaTf32 : TensorDot<TensorInstruction::wgmma, Format::tf32> {
  static constexpr KernelInfo kInfo = info_of("wgmma_tf32", "dot product by wgmma m64n8k8, sums in fp32");
};

}  // namespace orderlab::cuda
