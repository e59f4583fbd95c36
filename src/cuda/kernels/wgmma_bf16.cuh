// A dot product of bf16 numbers by wgmma m64n8k16.
#pragma once

#include "cuda/tensor_dot.cuh"

namespace orderlab::cuda {

struct WgmmaBf16 : TensorDot<TensorInstruction::wgmma, Format::bf16> {
  static constexpr KernelInfo kInfo = info_of("wgmma_bf16", "dot product by wgmma m64n8k16, sums in fp32");
};

}  // namespace orderlab::cuda
