// SPTR, single pass with a tree: the last thread block reduces the block sums by the same tree.
#pragma once

#include "cuda/block_sums.cuh"
#include "cuda/last_block.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void sptr(const T* x, std::size_t n, unsigned items, T* block_sums, unsigned* tickets, T* sum) {
  finish_by_tree(thread_sum(x, n, items), block_sums, tickets, sum);
}

struct Sptr {
  static constexpr KernelInfo kInfo{
      .name = "sptr",
      .summary = "block tree, the last thread block reduces the block sums by the same tree",
      .source = "[Shanmugavelu2024]",
      .formats = kEveryFormat,
      .shapes = kPaperShapes,
      .claim = [](const LaunchShape& shape, std::size_t n) { return "sptr(" + tile_arguments(shape, n) + ")"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return run_last_block(device, in, [&](T* block_sums, unsigned* tickets, T* sum) {
      const unsigned b = in.shape.threads;
      device.launch(kInfo.name, sptr<T>, thread_blocks(in.shape, in.x.size()), b, b * sizeof(T),
                    device.input(in.x, "x"), in.x.size(), in.shape.items, block_sums, tickets, sum);
    });
  }
};

}  // namespace orderlab::cuda
