// AO, atomicAdd only: every term is added to the sum by an atomic of its own.
#pragma once

#include "cuda/atomics.cuh"
#include "cuda/trees.cuh"

namespace orderlab::cuda {

template <class T, bool kRecord>
__global__ void ao(const T* x, std::size_t n, T* sum, Recording<T> recording) {
  const std::size_t i = grid_thread();
  if (i < n) add_atomically<kRecord>(sum, x[i], i, recording);
}

struct Ao {
  static constexpr LaunchShape kShapes[] = {{128}, {64}, {1024}};
  static constexpr KernelInfo kInfo{.name = "ao",
                                    .summary = "one atomicAdd per term",
                                    .source = "[Shanmugavelu2024]",
                                    .formats = kEveryFormat,
                                    .shapes = kShapes,
                                    .unit = ArrivalUnit::thread,
                                    .claim = [](const LaunchShape&, std::size_t) -> std::string { return "ao"; }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t n = in.x.size();
    const T* const x = device.input(in.x, "x");
    return run_atomic(device, in, n, [&](auto record, T* sum, const Recording<T>& recording) {
      device.launch(kInfo.name, ao<T, decltype(record)::value>, thread_blocks(in.shape, n), in.shape.threads, 0, x, n,
                    sum, recording);
    });
  }
};

}  // namespace orderlab::cuda
