// gpu_kernels.hpp in a build without CUDA: no GPU, and the way to one.
#include "cuda/gpu_kernels.hpp"

#include "orderlab/error.hpp"

namespace orderlab::cuda {

std::optional<std::string> gpu_problem() {
  return "this build has no CUDA; install CUDA 13 and configure with -DORDERLAB_CUDA=ON";
}

std::optional<std::string> gpu_problem(const KernelInfo&) { return gpu_problem(); }

std::span<const KernelInfo* const> gpu_kernels() { return {}; }

GpuRun run_on_gpu(const GpuRequest&) { throw Error(ErrorKind::unsupported, *gpu_problem()); }

}  // namespace orderlab::cuda
