// The machine and the compiler, and probes of the compiler's arithmetic.
#include <array>
#include <cub/version.cuh>
#include <sstream>

#include "cuda/formats.cuh"
#include "cuda/gpu.cuh"
#include "cuda/gpu_facts.hpp"

#ifndef ORDERLAB_NVCC_FLAGS
#define ORDERLAB_NVCC_FLAGS "not told"
#endif

namespace orderlab::cuda {

namespace {

__global__ void multiply_and_add(const float* x, float* results) {
  results[0] = x[0] * x[1] + x[2];
  results[1] = x[3] + x[4];
}

std::string version_text(int version) {  // 1000 * major + 10 * minor
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string architectures() {
  std::ostringstream text;
  for (const int architecture : {__CUDA_ARCH_LIST__}) text << (text.tellp() > 0 ? " sm_" : "sm_") << architecture / 10;
  return text.str();
}

}  // namespace

std::vector<CaptureEntry> gpu_facts() {
  cudaDeviceProp gpu;
  int device = 0;
  int driver = 0;
  int runtime = 0;
  cudaFuncAttributes code;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaGetDeviceProperties(&gpu, device), "cudaGetDeviceProperties");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaFuncGetAttributes(&code, multiply_and_add), "cudaFuncGetAttributes");
  return {{"device", gpu.name},
          {"compute_capability", std::to_string(gpu.major) + "." + std::to_string(gpu.minor)},
          {"sm_count", std::to_string(gpu.multiProcessorCount)},
          {"max_threads_per_sm", std::to_string(gpu.maxThreadsPerMultiProcessor)},
          {"l2_bytes", std::to_string(gpu.l2CacheSize)},
          {"driver", version_text(driver)},
          {"runtime", version_text(runtime)},
          {"nvcc", std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
                       std::to_string(__CUDACC_VER_BUILD__)},
          {"cub", std::to_string(CUB_VERSION)},
          {"architectures", architectures()},
          {"binary_version", std::to_string(code.binaryVersion)},
          {"flags", ORDERLAB_NVCC_FLAGS}};
}

std::vector<CaptureEntry> compiler_probes() {
  // (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24; rounded to fp32 it has lost its last bit, a fused product has not.
  const std::array<float, 5> x{1 + 0x1p-12F, 1 + 0x1p-12F, -(1 + 0x1p-11F), 0x1p-140F, 0x1p-140F};
  FreshMemory memory;
  Gpu gpu(memory);
  float* const results = gpu.zeros<float>(2);
  gpu.launch("multiply_and_add", multiply_and_add, 1, 1, 0, gpu.input(std::span<const float>(x)), results);
  const std::vector<float> found = gpu.read(results, 2);
  return {{"contraction", found[0] == 0 ? "none" : "fused multiply-add"},
          {"plain_subnormals", found[1] == 0x1p-139F ? "kept" : "flushed"}};
}

std::vector<CaptureEntry> gpu_probes() {
  std::vector<CaptureEntry> all;
  for (const auto& part : {compiler_probes(), addition_probes(), combination_probes()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace orderlab::cuda
