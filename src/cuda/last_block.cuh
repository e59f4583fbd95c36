// The last thread block of a grid finishes what all have written: one launch instead of two.
#pragma once

#include "cuda/trees.cuh"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// Stores this thread block's `value` (thread 0's) and tells all its threads whether it is the last to do so. If so,
/// they may read what every thread block has stored. `tickets` is 0 before the launch and again after it.
template <class T>
__device__ bool store_and_be_last(T* block_sums, T value, unsigned* tickets) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    block_sums[blockIdx.x] = value;
    __threadfence();  // the sum is out before the ticket is taken
    last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // and is read after it
  }
  __syncthreads();
  return last;
}

/// Stores the tree sum of the thread block's values; the last thread block to do so makes the sum of all of them by the
/// same tree.
template <class T>
__device__ void finish_by_tree(T value, T* block_sums, unsigned* tickets, T* sum) {
  const T block_sum = block_tree(value);
  if (!store_and_be_last(block_sums, block_sum, tickets)) return;
  T rest{};
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) rest += block_sums[k];
  rest = block_tree(rest);
  if (threadIdx.x == 0) *sum = rest;
}

/// Runs a kernel whose last thread block makes the sum: launch(block_sums, tickets, sum).
template <class T, class Device, class Launch>
RunResult<T> run_last_block(Device& device, const RunInput<T>& in, Launch launch) {
  T* const block_sums = device.template zeros<T>(thread_blocks(in.shape, in.x.size()), "block_sums");
  unsigned* const tickets = device.template zeros<unsigned>(1, "tickets");
  T* const sum = device.template zeros<T>(1, "sum");
  launch(block_sums, tickets, sum);
  return {.sum = device.result(sum), .shape = in.shape};
}

}  // namespace orderlab::cuda
