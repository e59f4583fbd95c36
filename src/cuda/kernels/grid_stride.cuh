// A grid of fixed size strides over the terms; a second launch of one thread block does the same with the block sums.
#pragma once

#include "cuda/trees.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void grid_stride(const T* x, std::size_t n, T* block_sums) {
  T sum{};
  for (std::size_t i = grid_thread(); i < n; i += grid_threads()) sum += x[i];
  sum = block_tree(sum);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}

struct GridStride {
  static constexpr LaunchShape kShapes[] = {{256, 1, 8}, {128, 1, 3}, {64, 1, 132}};
  static constexpr KernelInfo kInfo{
      .name = "grid_stride",
      .summary = "grid-stride accumulate, block tree, and a second launch for the block sums",
      .source = "[Harris2007]",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .claim = [](const LaunchShape& shape, std::size_t n) { return "sptr(" + tile_arguments(shape, n) + ")"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t n = in.x.size();
    const unsigned b = in.shape.threads;
    const unsigned grid = thread_blocks(in.shape, n);
    T* const block_sums = device.template zeros<T>(grid, "block_sums");
    T* const sum = device.template zeros<T>(1, "sum");
    device.launch(kInfo.name, grid_stride<T>, grid, b, b * sizeof(T), device.input(in.x, "x"), n, block_sums);
    device.launch(kInfo.name, grid_stride<T>, 1, b, b * sizeof(T), block_sums, std::size_t{grid}, sum);
    return {.sum = device.result(sum), .shape = in.shape};
  }
};

}  // namespace orderlab::cuda
