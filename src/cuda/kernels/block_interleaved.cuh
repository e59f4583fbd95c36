// A thread block's tree in shared memory with interleaved addressing: neighbours first.
#pragma once

#include "cuda/block_sums.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void block_interleaved(const T* x, std::size_t n, unsigned items, T* block_sums) {
  T* const shared = dynamic_shared_array<T>();
  const unsigned t = threadIdx.x;
  shared[t] = thread_sum(x, n, items);
  __syncthreads();
  for (unsigned offset = 1; offset < blockDim.x; offset *= 2) {
    const unsigned left = 2 * offset * t;
    if (left + offset < blockDim.x) shared[left] += shared[left + offset];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = shared[0];
}

struct BlockInterleaved {
  static constexpr LaunchShape kShapes[] = {{64, 1}, {256, 2}, {96, 1, 5}};
  static constexpr KernelInfo info{
      .name = "block_interleaved",
      .summary = "block tree in shared memory, interleaved addressing; block sums added on the host",
      .source = "[Harris2007]",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .claim = [](const LaunchShape& shape, std::size_t n) {
        return "tile(" + tile_arguments(shape, n) + ") | adjacent(" + std::to_string(shape.threads) +
               ") | seq(from=zero)";
      }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return {.sum = sum_on_host(run_block_sums(device, in, info.name, block_interleaved<T>)), .shape = in.shape};
  }
};

}  // namespace orderlab::cuda
