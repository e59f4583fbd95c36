// cub::BlockReduce, its default: a shuffle tree in every warp, the warp sums in turn.
#pragma once

#include <string>

#include "cuda/library_shapes.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

struct CubBlock {
  static constexpr KernelInfo info{.name = "cub_block",
                                   .summary = "cub::BlockReduce of one thread block, by warp reductions",
                                   .source = "CUB 3.0.1",
                                   .formats = kEveryFormat,
                                   .shapes = kCubBlockShapes,
                                   .runs = Runs::gpu_only,
                                   .claim = [](const LaunchShape& shape, std::size_t) {
                                     return "cub_block(" + std::to_string(shape.threads) + ")";
                                   }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in);
};

}  // namespace orderlab::cuda

#ifdef __CUDACC__
#include "cuda/cub_block_sum.cuh"

template <class T, class Device>
orderlab::RunResult<T> orderlab::cuda::CubBlock::run(Device& device, const RunInput<T>& in) {
  return cub_block_sum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(device, in, info.name);
}
#endif
