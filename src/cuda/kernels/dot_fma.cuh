// A dot product whose products are never rounded: one fused multiply-add a term, then the last thread block's tree.
#pragma once

#include "cuda/dot.cuh"

namespace orderlab::cuda {

__device__ inline float fused(float x, float y, float sum) { return __fmaf_rn(x, y, sum); }
__device__ inline double fused(double x, double y, double sum) { return __fma_rn(x, y, sum); }

template <class T>
__global__ void dot_fma(const T* x, const T* y, std::size_t n, T* block_sums, unsigned* tickets, T* sum) {
  T dot{};
  for (std::size_t i = grid_thread(); i < n; i += grid_threads()) dot = fused(x[i], y[i], dot);
  finish_by_tree(dot, block_sums, tickets, sum);
}

struct DotFma {
  static constexpr KernelInfo kInfo{
      .name = "dot_fma",
      .summary = "dot product by fused multiply-add, then as sptr",
      .source = "CUDA Math API",
      .formats = kWide,
      .shapes = kDotShapes,
      .products = true,
      .uncontracted = true,
      .claim = [](const LaunchShape& shape, std::size_t n) { return dot_claim(shape, n, ",acc=fma"); }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return run_dot(device, in, kInfo.name, dot_fma<T>);
  }
};

}  // namespace orderlab::cuda
