// How kernels that leave one sum for each thread block are run, and what the host does with the sums.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "cuda/trees.cuh"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// Shapes of the kernels after [Shanmugavelu2024]: the paper's, one that strides, one of more items.
inline constexpr LaunchShape kPaperShapes[] = {{64, 2}, {256, 2, 7}, {128, 4}};

/// One sum a thread block: the tree by sequential addressing.
template <class T>
__global__ void block_tree_sums(const T* x, std::size_t n, unsigned items, T* sums) {
  const T sum = block_tree(thread_sum(x, n, items));
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// The values added in turn on the host, from +0.0.
template <class T>
T sum_on_host(const std::vector<T>& values) {
  T sum{};
  for (const T& value : values) sum += value;
  return sum;
}

/// Launches kernel(x, n, items, sums), one value of dynamic shared memory a thread, and copies the sums of the thread
/// blocks to the host.
template <class T, class Device>
std::vector<T> run_block_sums(Device& device, const RunInput<T>& in, std::string_view name,
                              void (*kernel)(const T*, std::size_t, unsigned, T*)) {
  const unsigned b = in.shape.threads;
  const unsigned grid = thread_blocks(in.shape, in.x.size());
  T* const sums = device.template zeros<T>(grid, "sums");
  device.launch(name, kernel, grid, b, b * sizeof(T), device.input(in.x, "x"), in.x.size(), in.shape.items, sums);
  return device.read(sums, grid);
}

}  // namespace orderlab::cuda
