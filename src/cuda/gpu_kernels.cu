// gpu_kernels.hpp where there is CUDA: which GPU, which kernel, one run in memory of its own.
#include "core/text.hpp"
#include "cuda/gpu_kernels.hpp"
#include "cuda/gpu_table.cuh"

namespace orderlab::cuda {

namespace {

__global__ void device_code_probe() {}

std::vector<GpuKernel> all_gpu_kernels() {
  std::vector<GpuKernel> all;
  for (const auto& part : {handwritten_gpu_kernels(), library_gpu_kernels()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

const std::vector<GpuKernel>& table() {
  static const std::vector<GpuKernel> all = all_gpu_kernels();
  return all;
}

void check_terms(const KernelInfo& kernel, const GpuRequest& request) {
  const TermView& terms = request.terms;
  if (kernel.outputs != nullptr && request.arrays.extents.elements() != terms.n)
    throw Error(ErrorKind::usage, std::string(kernel.name) + ": a source of " + std::to_string(terms.n) +
                                      " numbers; its rows and columns have " +
                                      std::to_string(request.arrays.extents.elements()));
  if (kernel.products == terms.products()) return;
  const std::string name(kernel.name);
  throw Error(ErrorKind::usage, kernel.products ? name + ": adds products; give a second factor for every term"
                                                : name + ": adds plain terms; give no second factors");
}

}  // namespace

const GpuKernel& find_gpu_kernel(std::string_view name) {
  std::vector<std::string> known;
  for (const GpuKernel& kernel : table()) {
    if (kernel.info->name == name) return kernel;
    known.emplace_back(kernel.info->name);
  }
  throw Error(ErrorKind::usage, unknown_name("kernel", name, known));
}

std::optional<std::string> gpu_problem() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0)
    return std::string(count == 0 && status == cudaSuccess ? "no GPU was found" : cudaGetErrorString(status)) +
           "; run on a machine with an NVIDIA GPU and a driver for CUDA 13";
  cudaFuncAttributes attributes;
  const cudaError_t loaded = cudaFuncGetAttributes(&attributes, device_code_probe);
  if (loaded != cudaSuccess)
    return "the GPU cannot load the kernels (" + std::string(cudaGetErrorString(loaded)) +
           "); they are compiled for compute capability 8.0, and 9.0 or later";
  return std::nullopt;
}

std::span<const KernelInfo* const> gpu_kernels() {
  static const std::vector<const KernelInfo*> infos = [] {
    std::vector<const KernelInfo*> all;
    for (const GpuKernel& kernel : table()) all.push_back(kernel.info);
    return all;
  }();
  return infos;
}

GpuRun run_on_gpu(const GpuRequest& request) {
  const GpuKernel& kernel = find_gpu_kernel(request.kernel);
  check_terms(*kernel.info, request);
  FreshMemory memory;
  Gpu gpu(memory);
  return kernel.run(request, gpu);
}

}  // namespace orderlab::cuda
