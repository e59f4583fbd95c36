// One thread block that sums by cub::BlockReduce. CUDA only.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <string_view>

#include "cuda/check.cuh"
#include "cuda/library_shapes.hpp"

namespace orderlab::cuda {

/// Sum of x[t], x[t + b], ... for thread t of b, from its first term; T{} where it has none.
template <class T>
__device__ T strided_sum(const T* x, std::size_t n, std::size_t t, std::size_t b) {
  if (t >= n) return T{};
  T sum = x[t];
  for (std::size_t i = t + b; i < n; i += b) sum += x[i];
  return sum;
}

template <class T, unsigned kThreads, cub::BlockReduceAlgorithm kAlgorithm>
__global__ void cub_block(const T* x, std::size_t n, T* sum) {
  using Reduce = cub::BlockReduce<T, static_cast<int>(kThreads), kAlgorithm>;
  __shared__ typename Reduce::TempStorage storage;
  const int valid = static_cast<int>(n < kThreads ? n : kThreads);
  const T total = Reduce(storage).Sum(strided_sum(x, n, threadIdx.x, kThreads), valid);
  if (threadIdx.x == 0) *sum = total;
}

/// Runs it with the thread block of `in.shape`.
template <cub::BlockReduceAlgorithm kAlgorithm, class T, class Device>
RunResult<T> cub_block_sum(Device& device, const RunInput<T>& in, std::string_view name) {
  T* const sum = device.template scratch<T>(1);
  with_threads<kCubBlockShapes>(name, in.shape, [&](auto threads) {
    constexpr unsigned kThreads = decltype(threads)::value;
    device.launch(name, cub_block<T, kThreads, kAlgorithm>, 1, kThreads, 0, device.input(in.x), in.x.size(), sum);
  });
  return {.sum = device.result(sum), .shape = in.shape};
}

}  // namespace orderlab::cuda
