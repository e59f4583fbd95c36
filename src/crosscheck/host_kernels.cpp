// The kernels' own source, compiled for the CPU. Their list is in cuda/kernels.cuh.
#include "orderlab/cuda_on_host.hpp"
#include "orderlab/tensor_cores_on_host.hpp"
// The kernels come after what makes them C++.
#include "cuda/kernels.cuh"
#include "orderlab/host_kernel.hpp"

namespace orderlab {

std::span<const Executor> host_executors() {
#define ORDERLAB_HOST_EXECUTOR(Kernel) host_executor<cuda::Kernel>(),
  static const Executor kExecutors[] = {ORDERLAB_KERNELS(ORDERLAB_HOST_EXECUTOR)};
  return kExecutors;
}

}  // namespace orderlab
