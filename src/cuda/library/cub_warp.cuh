// cub::WarpReduce of one warp, whole or a logical one of fewer lanes.
#pragma once

#include <string>

#include "cuda/library_shapes.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

struct CubWarp {
  static constexpr KernelInfo info{
      .name = "cub_warp",
      .summary = "cub::WarpReduce of one warp",
      .source = "CUB 3.0.1",
      .formats = kEveryFormat,
      .shapes = kCubWarpShapes,
      .runs = Runs::gpu_only,
      .claim = [](const LaunchShape& shape, std::size_t) { return "cub_warp(" + std::to_string(shape.threads) + ")"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in);
};

}  // namespace orderlab::cuda

#ifdef __CUDACC__
#include <cub/warp/warp_reduce.cuh>

#include "cuda/cub_block_sum.cuh"

namespace orderlab::cuda {

template <class T, unsigned kLanes>
__global__ void cub_warp(const T* x, std::size_t n, T* sum) {
  using Reduce = cub::WarpReduce<T, static_cast<int>(kLanes)>;
  __shared__ typename Reduce::TempStorage storage;
  const T value = strided_sum(x, n, threadIdx.x, kLanes);
  const T total = n < kLanes ? Reduce(storage).Sum(value, static_cast<int>(n)) : Reduce(storage).Sum(value);
  if (threadIdx.x == 0) *sum = total;
}

template <class T, class Device>
RunResult<T> CubWarp::run(Device& device, const RunInput<T>& in) {
  T* const sum = device.template scratch<T>(1);
  with_threads<kCubWarpShapes>(info.name, in.shape, [&](auto lanes) {
    constexpr unsigned kLanes = decltype(lanes)::value;
    device.launch(info.name, cub_warp<T, kLanes>, 1, kLanes, 0, device.input(in.x), in.x.size(), sum);
  });
  return {.sum = device.result(sum), .shape = in.shape};
}

}  // namespace orderlab::cuda
#endif
