// Kernels on the host: what a switch between threads, a small launch, a checked access and an atomic cost.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "orderlab/cuda_on_host.hpp"

namespace {

using orderlab::simt::Device;

__global__ void barriers(unsigned rounds) {
  for (unsigned r = 0; r < rounds; ++r) __syncthreads();
}

__global__ void warp_tree(double* out, const double* x) {
  double v = x[threadIdx.x];
  for (unsigned offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xFFFFFFFF, v, offset);
  if (threadIdx.x == 0) out[0] = v;
}

__global__ void copy(float* out, const float* x, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i];
}

__global__ void block_tree(double* out, const double* x, unsigned n) {
  __shared__ double s[1024];
  const unsigned t = threadIdx.x;
  double v = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) v += x[i];
  s[t] = v;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}

template <class T>
__global__ void add_all(T* out, const T* x, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}

template <class T>
struct Input {
  explicit Input(std::size_t n, std::size_t resident = 1, std::size_t results = 1) : device({.resident = resident}) {
    std::vector<T> values(n);
    std::iota(values.begin(), values.end(), T{1});
    x = device.input(std::span<const T>(values));
    out = device.zeros<T>(results);
  }
  Device device;
  const T* x;
  T* out;
};

/// 256 threads leave and come back once a round.
void switches(benchmark::State& state) {
  Device device;
  constexpr unsigned kRounds = 1000;
  for (auto _ : state) device.launch("barriers", barriers, 1, 256, 0, kRounds);
  state.SetItemsProcessed(state.iterations() * 256 * kRounds);
}
BENCHMARK(switches)->Unit(benchmark::kMillisecond);

/// A device, its arrays and one launch, as a cross-check makes them by the hundred thousand.
void small_launch(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  const std::vector<double> values(threads, 1.0);
  for (auto _ : state) {
    Device device;
    const double* x = device.input(std::span<const double>(values));
    double* out = device.zeros<double>(1);
    if (threads == 32)
      device.launch("warp_tree", warp_tree, 1, 32, 0, out, x);
    else
      device.launch("block_tree", block_tree, 1, threads, 0, out, x, threads);
  }
}
BENCHMARK(small_launch)->Arg(32)->Arg(64)->Arg(256)->Unit(benchmark::kMicrosecond);

/// Every thread copies one number. Items are threads, here and below.
void copies(benchmark::State& state) {
  constexpr unsigned kThreads = 1 << 18;
  Input<float> input(kThreads, 1, kThreads);
  for (auto _ : state) input.device.launch("copy", copy, kThreads / 256, 256, 0, input.out, input.x, kThreads);
  state.SetItemsProcessed(state.iterations() * kThreads);
}
BENCHMARK(copies)->Unit(benchmark::kMillisecond);

/// A tree in shared memory in thread blocks of range(0) threads, range(1) of them resident; range(2) terms per thread.
void block_trees(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  constexpr unsigned kThreads = 1 << 16;
  const unsigned n = kThreads * static_cast<unsigned>(state.range(2));
  Input<double> input(n, static_cast<std::size_t>(state.range(1)));
  for (auto _ : state)
    input.device.launch("block_tree", block_tree, kThreads / threads, threads, 0, input.out, input.x, n);
  state.SetItemsProcessed(state.iterations() * kThreads);
}
BENCHMARK(block_trees)
    ->ArgNames({"threads", "resident", "terms"})
    ->Args({256, 1, 1})
    ->Args({256, 16, 1})
    ->Args({1024, 1, 1})
    ->Args({1024, 16, 1})
    ->Args({256, 1, 16})
    ->Unit(benchmark::kMillisecond);

/// One atomic addition per thread, range(0) thread blocks of 128 threads resident.
template <class T>
void atomics(benchmark::State& state) {
  constexpr unsigned kTerms = 1 << 18;
  for (auto _ : state) {
    state.PauseTiming();
    Input<T> input(kTerms, static_cast<std::size_t>(state.range(0)));
    state.ResumeTiming();
    input.device.launch("add_all", add_all<T>, kTerms / 128, 128, 0, input.out, input.x, kTerms);
  }
  state.SetItemsProcessed(state.iterations() * kTerms);
}
BENCHMARK(atomics<float>)->Name("atomics/fp32")->Arg(1)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK(atomics<double>)->Name("atomics/fp64")->Arg(1)->Arg(16)->Unit(benchmark::kMillisecond);

}  // namespace
