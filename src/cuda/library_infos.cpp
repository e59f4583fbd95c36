// The libraries' kernels as they describe themselves, compiled without CUDA.
#include "cuda/gpu_kernels.hpp"
#include "cuda/library_list.hpp"

namespace orderlab::cuda {

std::span<const KernelInfo* const> library_kernels() {
#define ORDERLAB_ENTRY(K) &K::info,
  static constexpr const KernelInfo* kInfos[] = {ORDERLAB_LIBRARY_KERNELS(ORDERLAB_ENTRY)};
#undef ORDERLAB_ENTRY
  return kInfos;
}

}  // namespace orderlab::cuda
