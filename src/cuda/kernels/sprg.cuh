// SPRG, single pass with a serial sum on the GPU: the last thread block's first thread adds the block sums in turn.
#pragma once

#include "cuda/block_sums.cuh"
#include "cuda/last_block.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void sprg(const T* x, std::size_t n, unsigned items, T* block_sums, unsigned* tickets, T* sum) {
  const T block_sum = block_tree(thread_sum(x, n, items));
  if (!store_and_be_last(block_sums, block_sum, tickets) || threadIdx.x != 0) return;
  T total{};
  for (unsigned k = 0; k < gridDim.x; ++k) total += block_sums[k];
  *sum = total;
}

struct Sprg {
  static constexpr KernelInfo kInfo{
      .name = "sprg",
      .summary = "block tree, the last thread block's first thread adds the block sums in turn",
      .source = "[Shanmugavelu2024]",
      .formats = kEveryFormat,
      .shapes = kPaperShapes,
      .claim = [](const LaunchShape& shape, std::size_t n) { return "sprg(" + tile_arguments(shape, n) + ")"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return run_last_block(device, in, [&](T* block_sums, unsigned* tickets, T* sum) {
      const unsigned b = in.shape.threads;
      device.launch(kInfo.name, sprg<T>, thread_blocks(in.shape, in.x.size()), b, b * sizeof(T),
                    device.input(in.x, "x"), in.x.size(), in.shape.items, block_sums, tickets, sum);
    });
  }
};

}  // namespace orderlab::cuda
