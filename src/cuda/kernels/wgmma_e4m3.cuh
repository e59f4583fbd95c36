// A dot product of e4m3 numbers by wgmma m64n8k32.
#pragma once

#include "cuda/tensor_dot.cuh"

namespace orderlab::cuda {

struct WgmmaE4m3 : TensorDot<TensorInstruction::wgmma, Format::e4m3> {
  static constexpr KernelInfo kInfo = info_of("wgmma_e4m3", "dot product by wgmma m64n8k32, sums in fp32");
};

}  // namespace orderlab::cuda
