// The hand-written kernels, compiled for the GPU.
#include "cuda/gpu_table.cuh"
#include "cuda/kernels.cuh"

namespace orderlab::cuda {

std::span<const GpuKernel> handwritten_gpu_kernels() {
#define ORDERLAB_ENTRY(K) GpuKernel{&K::kInfo, &run_kernel<K>},
  static constexpr GpuKernel kKernels[] = {ORDERLAB_KERNELS(ORDERLAB_ENTRY)};
#undef ORDERLAB_ENTRY
  return kKernels;
}

}  // namespace orderlab::cuda
