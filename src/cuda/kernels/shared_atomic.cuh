// One thread block; its threads add their sums atomically to one cell of shared memory, which keeps subnormals.
#pragma once

#include "cuda/atomics.cuh"
#include "cuda/trees.cuh"

namespace orderlab::cuda {

template <class T, bool kRecord>
__global__ void shared_atomic(const T* x, std::size_t n, unsigned items, T* sum, Recording<T> recording) {
  __shared__ T block_sum;
  if (threadIdx.x == 0) block_sum = T{};
  __syncthreads();
  if (threadIdx.x < n) add_atomically<kRecord>(&block_sum, thread_sum(x, n, items), threadIdx.x, recording);
  __syncthreads();
  if (threadIdx.x == 0) *sum = block_sum;
}

struct SharedAtomic {
  static constexpr LaunchShape kShapes[] = {{256, 1, 1}, {64, 2, 1}, {1024, 1, 1}};
  static constexpr KernelInfo kInfo{.name = "shared_atomic",
                                    .summary = "one thread block, one atomicAdd per thread to a cell of shared memory",
                                    .source = "CUDA C++ Programming Guide",
                                    .formats = kEveryFormat,
                                    .shapes = kShapes,
                                    .unit = ArrivalUnit::thread,
                                    .claim = [](const LaunchShape& shape, std::size_t n) {
                                      return "tile(" + tile_arguments(shape, n) + ") | arrive | seq(from=zero)";
                                    }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t n = in.x.size();
    const T* const x = device.input(in.x, "x");
    const std::size_t units = n < in.shape.threads ? n : in.shape.threads;
    return run_atomic(device, in, units, [&](auto record, T* sum, const Recording<T>& recording) {
      device.launch(kInfo.name, shared_atomic<T, decltype(record)::value>, 1, in.shape.threads, 0, x, n, in.shape.items,
                    sum, recording);
    });
  }
};

}  // namespace orderlab::cuda
