// TPRC, two passes: a tree in every thread block, the block sums copied to the host and added there in turn.
#pragma once

#include "cuda/block_sums.cuh"

namespace orderlab::cuda {

struct Tprc {
  static constexpr KernelInfo kInfo{
      .name = "tprc",
      .summary = "block tree in shared memory, sequential addressing; block sums added in turn on the host",
      .source = "[Shanmugavelu2024]",
      .formats = kEveryFormat,
      .shapes = kPaperShapes,
      .claim = [](const LaunchShape& shape, std::size_t n) { return "tprc(" + tile_arguments(shape, n) + ")"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return {.sum = sum_on_host(run_block_sums(device, in, kInfo.name, block_tree_sums<T>)), .shape = in.shape};
  }
};

}  // namespace orderlab::cuda
