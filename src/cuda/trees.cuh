// What several kernels do alike: sums of a thread, of a warp, of a thread block.
#pragma once

#include <cstddef>

#include "cuda/shared_memory.cuh"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

inline constexpr unsigned kWholeWarp = 0xffffffff;

/// Place of this thread in the grid, and threads of the grid.
__device__ inline std::size_t grid_thread() { return blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; }
__device__ inline std::size_t grid_threads() { return gridDim.x * std::size_t{blockDim.x}; }

/// Sum of the terms of this thread in tile `tile`, from +0.0: `items` of them, a thread block's width apart, then those
/// a grid further.
template <class T>
__device__ T thread_sum(const T* x, std::size_t n, unsigned items, unsigned tile) {
  const std::size_t b = blockDim.x;
  T sum{};
  for (std::size_t pass = tile * items * b + threadIdx.x; pass < n; pass += gridDim.x * items * b)
    for (std::size_t i = pass; i < pass + items * b && i < n; i += b) sum += x[i];
  return sum;
}

/// The same of the tile that has the number of this thread block.
template <class T>
__device__ T thread_sum(const T* x, std::size_t n, unsigned items) {
  return thread_sum(x, n, items, blockIdx.x);
}

/// Sum of the values of a warp, the far partner first. Valid in lane 0.
template <class T>
__device__ T warp_tree(T value) {
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_down_sync(kWholeWarp, value, offset);
  return value;
}

/// Sum of the values of a thread block of 2^k threads by sequential addressing, in dynamic shared memory of one value a
/// thread. Valid in thread 0.
template <class T>
__device__ T block_tree(T value) {
  T* const shared = dynamic_shared_array<T>();
  const unsigned t = threadIdx.x;
  shared[t] = value;
  __syncthreads();
  for (unsigned offset = blockDim.x / 2; offset > 0; offset /= 2) {
    if (t < offset) shared[t] += shared[t + offset];
    __syncthreads();
  }
  return shared[t];
}

}  // namespace orderlab::cuda
