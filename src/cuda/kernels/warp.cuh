// One shuffle tree per warp, one atomicAdd per warp.
#pragma once

#include "cuda/atomics.cuh"
#include "cuda/trees.cuh"

namespace orderlab::cuda {

template <class T, bool kRecord>
__global__ void warp(const T* x, std::size_t n, T* sum, Recording<T> recording) {
  const std::size_t i = grid_thread();
  const T warp_sum = warp_tree(i < n ? x[i] : T{});
  if (i % kWarp == 0 && i < n) add_atomically<kRecord>(sum, warp_sum, i / kWarp, recording);
}

struct Warp {
  static constexpr LaunchShape kShapes[] = {{256}, {32}, {128}};
  static constexpr KernelInfo kInfo{.name = "warp",
                                    .summary = "shuffle tree per warp, one atomicAdd per warp",
                                    .source = "[Harris2007]",
                                    .formats = kEveryFormat,
                                    .shapes = kShapes,
                                    .unit = ArrivalUnit::warp,
                                    .claim = [](const LaunchShape&, std::size_t) -> std::string { return "warp"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t n = in.x.size();
    const T* const x = device.input(in.x, "x");
    return run_atomic(device, in, (n + kWarp - 1) / kWarp, [&](auto record, T* sum, const Recording<T>& recording) {
      device.launch(kInfo.name, warp<T, decltype(record)::value>, thread_blocks(in.shape, n), in.shape.threads, 0, x, n,
                    sum, recording);
    });
  }
};

}  // namespace orderlab::cuda
