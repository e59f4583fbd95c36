// Every warp reduces 32 terms by shuffle-down, the far partner first; the host adds the warp sums in turn.
#pragma once

#include "cuda/block_sums.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void warp_down(const T* x, std::size_t n, T* warp_sums) {
  const std::size_t i = grid_thread();
  const T sum = warp_tree(i < n ? x[i] : T{});
  if (i % kWarp == 0 && i < n) warp_sums[i / kWarp] = sum;
}

struct WarpDown {
  static constexpr LaunchShape kShapes[] = {{128}, {32}, {1024}};
  static constexpr KernelInfo kInfo{
      .name = "warp_down",
      .summary = "warp tree by shuffle-down, offsets 16 to 1; warp sums added on the host",
      .source = "[Harris2007]",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .claim = [](const LaunchShape&, std::size_t) -> std::string { return "halving(32) | seq(from=zero)"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t warps = (in.x.size() + kWarp - 1) / kWarp;
    T* const warp_sums = device.template zeros<T>(warps, "warp_sums");
    device.launch(kInfo.name, warp_down<T>, thread_blocks(in.shape, in.x.size()), in.shape.threads, 0,
                  device.input(in.x, "x"), in.x.size(), warp_sums);
    return {.sum = sum_on_host(device.read(warp_sums, warps)), .shape = in.shape};
  }
};

}  // namespace orderlab::cuda
