// A thread block's sum in two stages of warp trees: every warp its 32 values, then one warp the warp sums.
#pragma once

#include "cuda/block_sums.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void block_two_stage(const T* x, std::size_t n, unsigned items, T* block_sums) {
  __shared__ T warp_sums[kWarp];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  T value = warp_tree(thread_sum(x, n, items));
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = warp_tree(lane < blockDim.x / kWarp ? warp_sums[lane] : T{});
    if (lane == 0) block_sums[blockIdx.x] = value;
  }
}

struct BlockTwoStage {
  static constexpr LaunchShape kShapes[] = {{256, 1}, {1024, 2}, {64, 4, 3}};
  static constexpr KernelInfo info{.name = "block_two_stage",
                                   .summary = "block tree of two stages of warp trees; block sums added on the host",
                                   .source = "NVIDIA CUDA samples, reduction",
                                   .formats = kEveryFormat,
                                   .shapes = kShapes,
                                   .claim = [](const LaunchShape& shape, std::size_t n) {
                                     return "tile(" + tile_arguments(shape, n) + ") | halving(32) | halving(" +
                                            std::to_string(shape.threads / kWarp) + ") | seq(from=zero)";
                                   }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return {.sum = sum_on_host(run_block_sums(device, in, info.name, block_two_stage<T>)), .shape = in.shape};
  }
};

}  // namespace orderlab::cuda
