// gpu_kernels.hpp where there is CUDA: which GPU, which kernel, one run in memory of its own.
#include "core/text.hpp"
#include "cuda/gpu_kernels.hpp"
#include "cuda/gpu_table.cuh"
#include "orderlab/tensor_cores.hpp"

namespace orderlab::cuda {

namespace {

/// What the code that the GPU loads was compiled for.
__global__ void device_code_probe(Architecture* compiled_for) {
#ifdef __CUDA_ARCH__
  *compiled_for = {__CUDA_ARCH__, detail::kHasWgmma};
#endif
}

Architecture loaded_code() {
  FreshMemory memory;
  Gpu gpu(memory);
  Architecture* const compiled_for = gpu.zeros<Architecture>(1);
  gpu.launch("device_code_probe", device_code_probe, 1, 1, 0, compiled_for);
  return gpu.read(compiled_for, 1).front();
}

/// As __CUDA_ARCH__ would be for this GPU.
unsigned architecture_of_gpu() {
  int device = 0;
  int major = 0;
  int minor = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "cudaDeviceGetAttribute");
  return static_cast<unsigned>(100 * major + 10 * minor);
}

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

std::optional<std::string> gpu_problem(const KernelInfo& kernel) {
  static const Architecture loaded = loaded_code();
  if (loaded.has(kernel.needs)) return std::nullopt;
  return "its instructions need " + std::string(kernel.needs.specific ? "a GPU and code of " : "code for ") +
         to_string(kernel.needs) + "; this GPU runs code for " + to_string(loaded);
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
  if (const auto problem = gpu_problem(*kernel.info))
    throw Error(ErrorKind::unsupported, std::string(kernel.info->name) + ": " + *problem);
  FreshMemory memory;
  Gpu gpu(memory);
  GpuRun run = kernel.run(request, gpu);
  run.shape.architecture = architecture_of_gpu();
  return run;
}

}  // namespace orderlab::cuda
