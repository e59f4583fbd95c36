// A dot product whose products are rounded before they are added, under all compiler flags.
#pragma once

#include "cuda/dot.cuh"

namespace orderlab::cuda {

__device__ inline float plus_product(float sum, float x, float y) { return __fadd_rn(sum, __fmul_rn(x, y)); }
__device__ inline double plus_product(double sum, double x, double y) { return __dadd_rn(sum, __dmul_rn(x, y)); }

template <class T>
__global__ void dot_rounded(const T* x, const T* y, std::size_t n, T* block_sums, unsigned* tickets, T* sum) {
  T dot{};
  for (std::size_t i = grid_thread(); i < n; i += grid_threads()) dot = plus_product(dot, x[i], y[i]);
  finish_by_tree(dot, block_sums, tickets, sum);
}

struct DotRounded {
  static constexpr KernelInfo kInfo{
      .name = "dot_rounded",
      .summary = "dot product with every product rounded, then as sptr",
      .source = "CUDA Math API",
      .formats = kWide,
      .shapes = kDotShapes,
      .products = true,
      .claim = [](const LaunchShape& shape, std::size_t n) { return dot_claim(shape, n, ""); }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return run_dot(device, in, kInfo.name, dot_rounded<T>);
  }
};

}  // namespace orderlab::cuda
