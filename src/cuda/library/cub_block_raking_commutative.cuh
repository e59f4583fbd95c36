// cub::BlockReduce, raking for commutative operations: the raking warp keeps its own values and adds the others'.
#pragma once

#include <string>

#include "cuda/library_shapes.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

struct CubBlockRakingCommutative {
  static constexpr KernelInfo info{
      .name = "cub_block_raking_commutative",
      .summary = "cub::BlockReduce of one thread block, raking for commutative operations only",
      .source = "CUB 3.0.1",
      .formats = kEveryFormat,
      .shapes = kCubBlockShapes,
      .runs = Runs::gpu_only,
      .claim = [](const LaunchShape& shape, std::size_t) {
        return "cub_block_raking_commutative(" + std::to_string(shape.threads) + ")";
      }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in);
};

}  // namespace orderlab::cuda

#ifdef __CUDACC__
#include "cuda/cub_block_sum.cuh"

template <class T, class Device>
orderlab::RunResult<T> orderlab::cuda::CubBlockRakingCommutative::run(Device& device, const RunInput<T>& in) {
  return cub_block_sum<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(device, in, info.name);
}
#endif
