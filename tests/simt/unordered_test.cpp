// Valid kernels whose threads use one place without order: equal values, guesses of atomicCAS, volatile flags. And the
// wrong kernels next to them.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

constexpr std::uint64_t kOrders = 20;

// ---- The same value

/// The lanes of every warp store what their shuffles gave all of them, as kernels with a butterfly do.
__global__ void all_lanes_store(float* out) {
  __shared__ float sums[2];
  float v = static_cast<float>(threadIdx.x % 4);
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xFFFFFFFF, v, step);
  sums[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) *out = sums[0] + sums[1];
}

/// Some threads find something, and say so.
__global__ void any_thread_sets(unsigned* out) {
  __shared__ bool found;
  found = false;
  __syncthreads();
  if (threadIdx.x % 7 == 3) found = true;
  __syncthreads();
  if (threadIdx.x == 0) *out = found ? 1 : 0;
}

/// Each sets what it uses itself.
__global__ void set_and_use(unsigned* out) {
  __shared__ unsigned count;
  count = gridDim.x;
  out[threadIdx.x] = count;
}

template <bool kLast>
__global__ void one_stores_another_value(float* out) {
  __shared__ float s;
  s = threadIdx.x == (kLast ? 31u : 0u) ? 2.0f : 1.0f;
  __syncthreads();
  out[threadIdx.x] = s;
}

__global__ void add_without_an_atomic(float* out) { *out += 0.0f; }

__global__ void overwrite_after_reading(float* out) {
  __shared__ float s;
  if (threadIdx.x == 0) s = 1;
  __syncthreads();
  out[threadIdx.x] = s;
  if (threadIdx.x == 40) s = 1;
}

struct Wide {
  double a, b, c;
};
__global__ void all_store_wide_values(Wide* out, Wide value) { *out = value; }

// ---- atomicCAS: CUDA C++ Programming Guide, "Atomic Functions"

__device__ double guide_add(double* address, double val) {
  unsigned long long int* address_as_ull = reinterpret_cast<unsigned long long int*>(address);
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed,
                    static_cast<unsigned long long>(
                        __double_as_longlong(val + __longlong_as_double(static_cast<long long>(assumed)))));
  } while (assumed != old);
  return __longlong_as_double(static_cast<long long>(old));
}

__global__ void add_by_guide(double* out) { guide_add(out, threadIdx.x + 1.0); }

__global__ void add_by_guide_in_shared(double* out) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  guide_add(&sum, threadIdx.x + 1.0);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

/// The guess is read anew each time.
__global__ void maximum(unsigned* out) {
  unsigned old;
  do {
    old = *out;
    if (old >= threadIdx.x) old = *out;
  } while (atomicCAS(out, old, max(old, threadIdx.x)) != old);
}

enum class Instead { read, ended, store, add, other_cell, barrier };

/// The value that was read is no guess.
template <Instead kInstead>
__global__ void read_beside_atomics(unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t != 0) {
    unsigned old = out[0];
    while (true) {
      const unsigned assumed = old;
      old = atomicCAS(out, assumed, assumed + 1);
      if (old == assumed) break;
    }
    return;
  }
  atomicAdd(&out[1], 1u);  // a turn for the others
  atomicAdd(&out[1], 1u);
  atomicAdd(&out[1], 1u);
  const unsigned seen = out[0];
  if (kInstead == Instead::store) out[0] = seen + 1;
  if (kInstead == Instead::add) atomicAdd(out, seen);
  if (kInstead == Instead::other_cell) atomicCAS(&out[1], seen, 5u);
  if (kInstead == Instead::barrier) __syncthreads();
  if (kInstead == Instead::read || kInstead == Instead::barrier) out[2] = seen;
  if (kInstead == Instead::ended) out[3] = seen;
}

template <Instead kInstead>
unsigned faults_beside_atomics() {
  unsigned faults = 0;
  for (std::uint64_t sample = 0; sample < kOrders; ++sample) {
    const std::string fault = fault_of(read_beside_atomics<kInstead>, 1, 64, 4, 0, schedule(sample));
    CHECK((fault.empty() || contains(fault, "at byte 0 of device array 0")));
    faults += fault.empty() ? 0u : 1u;
  }
  return faults;
}

// ---- Volatile flags

/// A barrier of the grid by a counter that is polled: S. Xiao and W. Feng, "Inter-Block GPU Communication via Fast
/// Barrier Synchronization", 2010.
template <bool kFence>
__global__ void barrier_by_counter(double* out, double* values, unsigned* counter) {
  const unsigned t = threadIdx.x;
  values[blockIdx.x * blockDim.x + t] = blockIdx.x + 1;
  __syncthreads();
  if (t == 0) {
    if (kFence) __threadfence();
    atomicAdd(counter, 1u);
    volatile unsigned* const polled = counter;
    while (*polled != gridDim.x) {
    }
  }
  __syncthreads();
  double sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += values[b * blockDim.x + t];
  out[blockIdx.x * blockDim.x + t] = sum;
}

/// The same without atomics: thread block 0 waits for the flags of all and sets the flags that they wait for.
template <bool kFence>
__global__ void barrier_by_flags(double* out, double* values, volatile unsigned* flags) {
  const unsigned t = threadIdx.x;
  volatile unsigned* const in = flags;
  volatile unsigned* const open = flags + gridDim.x;
  values[blockIdx.x * blockDim.x + t] = blockIdx.x + 1;
  if (kFence) __threadfence();
  __syncthreads();
  if (t == 0) in[blockIdx.x] = 1;
  if (blockIdx.x == 0) {
    if (t < gridDim.x) {
      while (in[t] == 0) {
      }
    }
    if (kFence) __threadfence();
    __syncthreads();
    if (t < gridDim.x) open[t] = 1;
  }
  if (t == 0) {
    while (open[blockIdx.x] == 0) {
    }
  }
  __syncthreads();
  double sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += values[b * blockDim.x + t];
  out[blockIdx.x * blockDim.x + t] = sum;
}

/// The last steps of a reduction as CUDA's samples had it before sm_70: volatile in place of __syncwarp.
__global__ void volatile_tree(float* out) {
  __shared__ float values[64];
  const unsigned t = threadIdx.x;
  volatile float* const s = values;
  s[t] = 1;
  if (t + 32 < 64) s[t + 32] = 1;
  for (unsigned k = 32; k > 0; k /= 2) s[t] = s[t] + s[t + k];
  if (t == 0) *out = s[0];
}

template <class Kernel, class Flag>
std::string barrier_fault(Kernel kernel, std::uint64_t sample, Flag* (*make)(simt::Device&)) {
  simt::Device device(schedule(sample, 4));
  double* const out = device.zeros<double>(4 * 64);
  double* const values = device.zeros<double>(4 * 64);
  Flag* const flags = make(device);
  const std::string fault = fault_of([&] { device.launch("grid_barrier", kernel, 4, 64, 0, out, values, flags); });
  if (fault.empty())
    for (const double sum : device.read(out, 4 * 64)) CHECK(bits_of(sum) == bits_of(10.0));
  return fault;
}

unsigned* make_flags(simt::Device& device) { return device.zeros<unsigned>(8); }

}  // namespace

TEST_CASE("lanes of a warp may store the same value in one place, several warps may not") {
  for (std::uint64_t sample = 0; sample < kOrders; ++sample) {
    const auto how = schedule(sample, 1 + sample % 3);
    CHECK(fault_of(all_lanes_store, 1, 64, 1, 0, how) == "");
    CHECK(fault_of(any_thread_sets, 1, 32, 1, 0, how) == "");
    CHECK(fault_of(set_and_use, 1, 32, 64, 0, how) == "");
    CHECK(contains(fault_of(any_thread_sets, 1, 64, 1, 0, how), "has written, with no barrier"));
  }
  simt::Device device;
  Wide* const out = device.zeros<Wide>(1);
  device.launch("all_store_wide_values", all_store_wide_values, 1, 32, 0, out, Wide{1, 2, 3});
  CHECK(bits_of(device.read(out, 1)[0].c) == bits_of(3.0));
}

TEST_CASE("another value, and a read of the place, are conflicts") {
  for (std::uint64_t sample = 0; sample < kOrders; ++sample) {
    const auto how = schedule(sample);
    CHECK(contains(fault_of(one_stores_another_value<false>, 1, 32, 64, 0, how), "writes 4 bytes"));
    CHECK(contains(fault_of(one_stores_another_value<true>, 1, 32, 64, 0, how), "has written, with no barrier"));
    CHECK(contains(fault_of(add_without_an_atomic, 1, 64, 64, 0, how), "reads 4 bytes"));
    CHECK(contains(fault_of(overwrite_after_reading, 1, 64, 64, 0, how), "no barrier"));
  }
}

TEST_CASE("the guide's loop of atomicCAS may begin with a plain read") {
  for (std::uint64_t sample = 0; sample < kOrders; ++sample) {
    simt::Device device(schedule(sample, 1 + sample % 3));
    double* const out = device.zeros<double>(3);
    CHECK(fault_of([&] { device.launch("add_by_guide", add_by_guide, 3, 64, 0, out); }) == "");
    CHECK(bits_of(device.read(out, 1)[0]) == bits_of(3 * 32 * 65.0));
    CHECK(fault_of([&] { device.launch("shared", add_by_guide_in_shared, 3, 64, 0, out); }) == "");
    for (const double sum : device.read(out, 3)) CHECK(bits_of(sum) == bits_of(32 * 65.0));
    unsigned* const most = device.zeros<unsigned>(1);
    CHECK(fault_of([&] { device.launch("maximum", maximum, 2, 64, 0, most); }) == "");
    CHECK(device.read(most, 1)[0] == 63);
  }
}

TEST_CASE("a plain read beside atomics is a conflict, unless an atomicCAS on the cell follows") {
  CHECK(faults_beside_atomics<Instead::read>() == kOrders);
  CHECK(faults_beside_atomics<Instead::ended>() == kOrders);
  CHECK(faults_beside_atomics<Instead::store>() == kOrders);
  CHECK(faults_beside_atomics<Instead::add>() == kOrders);
  CHECK(faults_beside_atomics<Instead::other_cell>() == kOrders);
  CHECK(faults_beside_atomics<Instead::barrier>() == kOrders);
}

TEST_CASE("resident thread blocks may wait for one another at volatile flags behind fences") {
  for (std::uint64_t sample = 0; sample < kOrders; ++sample) {
    CHECK(barrier_fault(barrier_by_counter<true>, sample, make_flags) == "");
    CHECK(barrier_fault(barrier_by_flags<true>, sample, make_flags) == "");
    CHECK(contains(barrier_fault(barrier_by_counter<false>, sample, make_flags), "without __threadfence"));
    CHECK(barrier_fault(barrier_by_flags<false>, sample, make_flags) != "");
    CHECK(fault_of(volatile_tree, 1, 32, 1, 0, schedule(sample)) != "");
  }
}
