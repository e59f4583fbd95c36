// A dot product of fp16 numbers by wgmma m64n8k16.
#pragma once

#include "cuda/tensor_dot.cuh"

namespace orderlab::cuda {

struct WgmmaFp16 : TensorDot<TensorInstruction::wgmma, Format::fp16> {
  static constexpr KernelInfo kInfo = info_of("wgmma_fp16", "dot product by wgmma m64n8k16, sums in fp32");
};

}  // namespace orderlab::cuda
