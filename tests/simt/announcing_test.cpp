// One thread announces what others fenced or read: small kernels as CUDA's samples have them, and their wrong twins.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

constexpr unsigned kBlocks = 5;

using Kernel = void (*)(float*, float*, unsigned*);

/// Over 40 schedules: how many launches end with a fault.
int faults(Kernel kernel, simt::Dim3 grid, simt::Dim3 block) {
  int count = 0;
  for (std::uint64_t sample = 0; sample < 40; ++sample) {
    simt::Device device(schedule(sample, 1 + sample % 4));
    float* const out = device.zeros<float>(256);
    float* const values = device.zeros<float>(256);
    unsigned* const counter = device.zeros<unsigned>(1);
    const std::string fault = fault_of([&] { device.launch("kernel", kernel, grid, block, 0, out, values, counter); });
    CHECK((fault.empty() || contains(fault, "without __threadfence") || contains(fault, "with no barrier")));
    count += fault.empty() ? 0 : 1;
  }
  return count;
}

constexpr int kAll = 40;

__device__ void add_partials(float* out, const float* partials, unsigned count) {
  float sum = 0;
  for (unsigned i = 0; i < count; ++i) sum += partials[i];
  *out = sum;
}

/// Thread 0 stores, all fence behind the barrier, thread kTicket takes the ticket: only its own fence is in front of
/// that.
template <unsigned kTicket, bool kAllFence>
__global__ void another_takes_the_ticket(float* out, float* partials, unsigned* ticket) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  if (t == 0) partials[blockIdx.x] = 1;
  __syncthreads();
  if (kAllFence || t != kTicket) __threadfence();
  if (t == kTicket) last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last && t == 0) add_partials(out, partials, gridDim.x);
}

/// Sixteen lanes store and synchronise among themselves; lane 0 fences for them, or each fences for itself in front.
template <bool kEachFences, bool kSynchronise>
__global__ void half_a_warp_announces(float* out, float* partials, unsigned* ticket) {
  const unsigned t = threadIdx.x;
  if (t >= 16) return;
  partials[blockIdx.x * 16 + t] = 1;
  if (kEachFences) __threadfence();
  if (kSynchronise) __syncwarp(0xFFFF);
  if (t != 0) return;
  if (!kEachFences) __threadfence();
  if (atomicAdd(ticket, 1u) == gridDim.x - 1) add_partials(out, partials, gridDim.x * 16);
}

/// Lane 0 of every warp reads what the last of them overwrites.
template <bool kFence>
__global__ void last_warp_overwrites(float* out, float* limit, unsigned* count) {
  if (threadIdx.x % 32 != 0) return;
  out[threadIdx.x / 32] = *limit;
  if (kFence) __threadfence();
  if (atomicAdd(count, 1u) == blockDim.x / 32 - 1) *limit = 7;
}

/// The reads of three warps, of which warp kFenceless does not fence; warp 3 overwrites.
template <unsigned kFenceless>
__global__ void one_reader_does_not_fence(float* out, float* limit, unsigned* count) {
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x % 32 != 0) return;
  if (warp < 3) {
    out[warp] = *limit;
    if (warp != kFenceless) __threadfence();
    atomicAdd(count, 1u);
  } else {
    while (atomicAdd(count, 0u) != 3) {
    }
    *limit = 7;
  }
}

}  // namespace

TEST_CASE("any thread may take the ticket of what another one stored, if itself it fences in front") {
  CHECK(faults(another_takes_the_ticket<63, true>, kBlocks, 64) == 0);
  CHECK(faults(another_takes_the_ticket<1, true>, kBlocks, 64) == 0);
  CHECK(faults(another_takes_the_ticket<63, false>, kBlocks, 64) == kAll);
  CHECK(faults(another_takes_the_ticket<1, false>, kBlocks, 64) == kAll);
}

TEST_CASE("a fence covers what a __syncwarp of some lanes ordered before it, and is known behind one") {
  CHECK(faults(half_a_warp_announces<false, true>, kBlocks, 32) == 0);
  CHECK(faults(half_a_warp_announces<true, true>, kBlocks, 32) == 0);
  CHECK(faults(half_a_warp_announces<false, false>, kBlocks, 32) == kAll);
  CHECK(faults(half_a_warp_announces<true, false>, kBlocks, 32) == kAll);
}

TEST_CASE("the last of several warps may overwrite what all of them have read, fenced and counted") {
  CHECK(faults(last_warp_overwrites<true>, 1, 128) == 0);
  CHECK(faults(last_warp_overwrites<false>, 1, 128) == kAll);
  CHECK(faults(one_reader_does_not_fence<3>, 1, 128) == 0);
  CHECK(faults(one_reader_does_not_fence<0>, 1, 128) > 0);  // not where two others read after it
  CHECK(faults(one_reader_does_not_fence<1>, 1, 128) > 0);
  CHECK(faults(one_reader_does_not_fence<2>, 1, 128) > 0);
}
