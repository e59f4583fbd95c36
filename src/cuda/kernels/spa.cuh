// SPA, single pass with atomics: a tree in every thread block, one atomicAdd a thread block.
#pragma once

#include "cuda/atomics.cuh"
#include "cuda/block_sums.cuh"

namespace orderlab::cuda {

template <class T, bool kRecord>
__global__ void spa(const T* x, std::size_t n, unsigned items, T* sum, Recording<T> recording) {
  const T block_sum = block_tree(thread_sum(x, n, items));
  if (threadIdx.x == 0) add_atomically<kRecord>(sum, block_sum, blockIdx.x, recording);
}

struct Spa {
  static constexpr KernelInfo kInfo{
      .name = "spa",
      .summary = "block tree, one atomicAdd per thread block",
      .source = "[Shanmugavelu2024]",
      .formats = kEveryFormat,
      .shapes = kPaperShapes,
      .unit = ArrivalUnit::thread_block,
      .claim = [](const LaunchShape& shape, std::size_t n) { return "spa(" + tile_arguments(shape, n) + ")"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t n = in.x.size();
    const T* const x = device.input(in.x, "x");
    const unsigned b = in.shape.threads;
    const unsigned grid = thread_blocks(in.shape, n);
    return run_atomic(device, in, grid, [&](auto record, T* sum, const Recording<T>& recording) {
      device.launch(kInfo.name, spa<T, decltype(record)::value>, grid, b, b * sizeof(T), x, n, in.shape.items, sum,
                    recording);
    });
  }
};

}  // namespace orderlab::cuda
