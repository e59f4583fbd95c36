// cooperative_groups::reduce of one tile: a warp's, and one of several warps.
#pragma once

#include <string>

#include "cuda/library_shapes.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

struct CgReduce {
  static constexpr KernelInfo info{
      .name = "cg_reduce",
      .summary = "cooperative_groups::reduce of one tile, of a warp or of several",
      .source = "CUDA 13.0, cooperative_groups/reduce.h",
      .formats = kEveryFormat,
      .shapes = kCgShapes,
      .runs = Runs::gpu_only,
      .claim = [](const LaunchShape& shape, std::size_t) { return "cg(" + std::to_string(shape.threads) + ")"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in);
};

}  // namespace orderlab::cuda

#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace orderlab::cuda {

template <class T, unsigned kThreads>
__global__ void cg_reduce(const T* x, std::size_t n, T* sum) {
  namespace cg = cooperative_groups;
  __shared__ cg::block_tile_memory<kThreads> memory;
  const auto tile = cg::tiled_partition<kThreads>(cg::this_thread_block(memory));
  T value{};
  for (std::size_t i = threadIdx.x; i < n; i += kThreads) value += x[i];
  value = cg::reduce(tile, value, cg::plus<T>());
  if (threadIdx.x == 0) *sum = value;
}

template <class T, class Device>
RunResult<T> CgReduce::run(Device& device, const RunInput<T>& in) {
  T* const sum = device.template scratch<T>(1);
  with_threads<kCgShapes>(info.name, in.shape, [&](auto threads) {
    constexpr unsigned kThreads = decltype(threads)::value;
    device.launch(info.name, cg_reduce<T, kThreads>, 1, kThreads, 0, device.input(in.x), in.x.size(), sum);
  });
  return {.sum = device.result(sum), .shape = in.shape};
}

}  // namespace orderlab::cuda
#endif
