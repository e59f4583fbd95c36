// SPRG with a compensated last stage: the last thread block's first thread adds the block sums by Neumaier's method.
#pragma once

#include "cuda/block_sums.cuh"
#include "cuda/last_block.cuh"
#include "cuda/neumaier.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void sprg_neumaier(const T* x, std::size_t n, unsigned items, T* block_sums, unsigned* tickets, T* sum) {
  const T block_sum = block_tree(thread_sum(x, n, items));
  if (!store_and_be_last(block_sums, block_sum, tickets) || threadIdx.x != 0) return;
  *sum = neumaier_sum(block_sums, gridDim.x);
}

struct SprgNeumaier {
  static constexpr KernelInfo kInfo{.name = "sprg_neumaier",
                                    .summary = "as sprg, with Neumaier's compensated sum of the block sums on the GPU",
                                    .source = "[Shanmugavelu2024]",
                                    .formats = kWide,
                                    .shapes = kPaperShapes,
                                    .claim = [](const LaunchShape& shape, std::size_t n) {
                                      return "tprc_neumaier(" + tile_arguments(shape, n) + ")";
                                    }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return run_last_block(device, in, [&](T* block_sums, unsigned* tickets, T* sum) {
      const unsigned b = in.shape.threads;
      device.launch(kInfo.name, sprg_neumaier<T>, thread_blocks(in.shape, in.x.size()), b, b * sizeof(T),
                    device.input(in.x, "x"), in.x.size(), in.shape.items, block_sums, tickets, sum);
    });
  }
};

}  // namespace orderlab::cuda
