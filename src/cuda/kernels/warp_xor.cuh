// Every warp reduces 32 terms by an xor butterfly, neighbours first; every lane then has the sum.
#pragma once

#include "cuda/block_sums.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void warp_xor(const T* x, std::size_t n, T* lane_sums) {
  const std::size_t i = grid_thread();
  T value = i < n ? x[i] : T{};
  for (int mask = 1; mask < static_cast<int>(kWarp); mask *= 2) value += __shfl_xor_sync(kWholeWarp, value, mask);
  lane_sums[i] = value;
}

struct WarpXor {
  static constexpr LaunchShape kShapes[] = {{128}, {32}, {1024}};
  static constexpr KernelInfo kInfo{
      .name = "warp_xor",
      .summary =
          "warp tree by xor butterfly, masks 1 to 16; one lane of each warp, another each time, added on the host",
      .source = "CUDA C++ Programming Guide",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .claim = [](const LaunchShape&, std::size_t) -> std::string { return "adjacent(32) | seq(from=zero)"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const unsigned grid = thread_blocks(in.shape, in.x.size());
    const std::size_t threads = std::size_t{grid} * in.shape.threads;
    T* const lane_sums = device.template zeros<T>(threads);
    device.launch(kInfo.name, warp_xor<T>, grid, in.shape.threads, 0, device.input(in.x), in.x.size(), lane_sums);
    // Lane k of warp k: that all lanes hold the sum is what a butterfly is for.
    const std::vector<T> all = device.read(lane_sums, threads);
    std::vector<T> warp_sums;
    for (std::size_t warp = 0; warp * kWarp < in.x.size(); ++warp)
      warp_sums.push_back(all[warp * kWarp + warp % kWarp]);
    return {.sum = sum_on_host(warp_sums), .shape = in.shape};
  }
};

}  // namespace orderlab::cuda
