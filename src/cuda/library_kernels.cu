// The libraries' kernels, compiled for the GPU.
#include "cuda/gpu_table.cuh"
#include "cuda/library_list.hpp"

namespace orderlab::cuda {

std::span<const GpuKernel> library_gpu_kernels() {
#define ORDERLAB_ENTRY(K) GpuKernel{&K::info, &run_kernel<K>},
  static constexpr GpuKernel kKernels[] = {ORDERLAB_LIBRARY_KERNELS(ORDERLAB_ENTRY)};
#undef ORDERLAB_ENTRY
  return kKernels;
}

}  // namespace orderlab::cuda
