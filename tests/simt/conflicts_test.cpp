// Accesses to shared memory that nothing orders: what a barrier, a __syncwarp or a fence with an atomic is needed for.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

template <int kBarrier>  // 0 none, 1 of the warp, 2 of the thread block
__global__ void read_neighbour(float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = 1;
  if (kBarrier == 1) __syncwarp();
  if (kBarrier == 2) __syncthreads();
  out[t] = s[t == 0 ? 1 : t - 1];  // lane 0 comes first, before lane 1 has written
}

template <int kBarrier>
__global__ void read_behind(float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = 1;
  if (kBarrier == 1) __syncwarp();
  if (kBarrier == 2) __syncthreads();
  out[t] = s[t % 32 == 0 ? t : t - 1];
}

template <int kBarrier>
__global__ void read_other_warp(float* out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = 1;
  if (kBarrier == 1) __syncwarp();
  if (kBarrier == 2) __syncthreads();
  out[t] = s[t ^ 32];
}

template <int kBarrier>
__global__ void overwrite_what_was_read(float*) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = 1;
  __syncthreads();
  const float v = s[(t + 1) % 64];
  if (kBarrier == 2) __syncthreads();
  s[t] = v;
}

/// All lanes of both warps read, one writes: readers of several warps are remembered.
template <int kBarrier>
__global__ void overwrite_what_all_read(float* out) {
  __shared__ float s;
  const unsigned t = threadIdx.x;
  if (t == 0) s = 1;
  __syncthreads();
  const float v = s;
  if (kBarrier == 1) __syncwarp();
  if (kBarrier == 2) __syncthreads();
  if (t == 63) s = v + 1;
  out[t] = v;
}

template <int kBarrier>
__global__ void start_a_shared_sum(float* out) {
  __shared__ float s;
  const unsigned t = threadIdx.x;
  if (t == 0) s = 0;
  if (kBarrier == 2) __syncthreads();
  atomicAdd(&s, 1.0f);
  __syncthreads();
  out[t] = s;
}

template <int kBarrier>
__global__ void read_a_shared_sum(float* out) {
  __shared__ float s;
  const unsigned t = threadIdx.x;
  if (t == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, 1.0f);
  if (kBarrier == 2) __syncthreads();
  if (t == 0) out[t] = s;
}

/// Pairs of lanes synchronise among themselves; kWrong looks at another pair.
template <bool kWrong>
__global__ void synchronise_pairs(float* out) {
  __shared__ float s[32];
  const unsigned t = threadIdx.x;
  s[t] = 1;
  __syncwarp(3u << (t / 2 * 2));
  out[t] = s[kWrong && t > 1 ? t - 2 : t ^ 1];
}

/// Lane 0 tells lane 1, lane 1 tells lane 2: known through the one between, if both synchronisations are there.
template <bool kWrong>
__global__ void synchronise_in_a_chain(float* out) {
  __shared__ float s[32];
  const unsigned t = threadIdx.x;
  if (t == 0) s[0] = *out;
  if (!kWrong && t < 2) __syncwarp(3);
  if (t == 1 || t == 2) __syncwarp(6);
  if (t == 2) out[0] = s[0];
}

template <bool kFence>
__global__ void pass_between_warps(float* out, unsigned* flag) {
  __shared__ float s;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    s = 7;
    if (kFence) __threadfence_block();
    atomicExch(flag, 1u);
  }
  if (t == 32) {
    while (atomicAdd(flag, 0u) == 0) {
    }
    out[0] = s;
  }
}

constexpr int kTwoLines = __LINE__ + 1;
__global__ void two_lines(float* out) {
  const unsigned t = threadIdx.x;
  if (t == 5) out[0] = 1;
  __threadfence();  // or clang makes one store of two
  if (t == 7) out[0] = 2;
}

constexpr int kAtomicAndWrite = __LINE__ + 1;
__global__ void atomic_and_write(float* out) {
  if (threadIdx.x == 0)
    atomicAdd(out, 1.0f);
  else
    *out = 2;
}

template <bool kFence>
std::string pass_between_warps_fault(std::uint64_t sample) {
  simt::Device device(schedule(sample));
  return fault_of([&] {
    device.launch("pass_between_warps", pass_between_warps<kFence>, 1, 64, 0, device.zeros<float>(1),
                  device.zeros<unsigned>(1));
  });
}

}  // namespace

TEST_CASE("threads of one warp need a __syncwarp between them, others a __syncthreads") {
  CHECK(contains(fault_of(read_neighbour<0>, 1, 64), "nothing has written"));
  CHECK(fault_of(read_neighbour<1>, 1, 32) == "");
  CHECK(fault_of(read_neighbour<2>, 1, 64) == "");
  CHECK(contains(fault_of(read_behind<0>, 1, 64), "has written, with no barrier between them"));
  CHECK(contains(fault_of(read_behind<0>, 1, 64), "__syncwarp"));
  CHECK(fault_of(read_behind<1>, 1, 64) == "");
  CHECK(fault_of(read_behind<2>, 1, 64) == "");
  CHECK(contains(fault_of(read_other_warp<0>, 1, 64), "nothing has written"));  // the other warp has not started
  CHECK(fault_of(read_other_warp<1>, 1, 64) != "");
  CHECK(fault_of(read_other_warp<2>, 1, 64) == "");
}

TEST_CASE("a write behind another thread's read needs a barrier between") {
  CHECK(contains(fault_of(overwrite_what_was_read<0>, 1, 64), "writes 4 bytes"));
  CHECK(contains(fault_of(overwrite_what_was_read<0>, 1, 64), "has read, with no barrier"));
  CHECK(fault_of(overwrite_what_was_read<2>, 1, 64) == "");
  for (std::uint64_t sample = 0; sample < 10; ++sample) {
    const auto how = schedule(sample);
    CHECK(fault_of(overwrite_what_all_read<0>, 1, 64, 64, 0, how) != "");
    CHECK(fault_of(overwrite_what_all_read<1>, 1, 64, 64, 0, how) != "");
    CHECK(fault_of(overwrite_what_all_read<2>, 1, 64, 64, 0, how) == "");
  }
}

TEST_CASE("an accumulator in shared memory needs a barrier before and behind its atomics") {
  for (std::uint64_t sample = 0; sample < 10; ++sample) {
    const auto how = schedule(sample);
    CHECK(fault_of(start_a_shared_sum<0>, 1, 64, 64, 0, how) != "");
    CHECK(fault_of(start_a_shared_sum<2>, 1, 64, 64, 0, how) == "");
    CHECK(fault_of(read_a_shared_sum<0>, 1, 64, 64, 0, how) != "");
    CHECK(fault_of(read_a_shared_sum<2>, 1, 64, 64, 0, how) == "");
  }
}

TEST_CASE("a __syncwarp of some lanes orders those, and what they knew") {
  CHECK(fault_of(synchronise_pairs<false>, 1, 32) == "");
  CHECK(contains(fault_of(synchronise_pairs<true>, 1, 32), "with no barrier"));
  CHECK(fault_of(synchronise_in_a_chain<false>, 1, 32) == "");
  CHECK(contains(fault_of(synchronise_in_a_chain<true>, 1, 32), "with no barrier"));
}

TEST_CASE("a fence with an atomic behind it orders warps of a thread block") {
  for (std::uint64_t sample = 0; sample < 10; ++sample) {
    CHECK(pass_between_warps_fault<true>(sample) == "");
    CHECK(contains(pass_between_warps_fault<false>(sample), "with no barrier"));
  }
}

TEST_CASE("a conflict names the lines of both accesses") {
  const auto line = [](int number) { return "conflicts_test.cpp:" + std::to_string(number); };
  const std::string plain = fault_of(two_lines, 1, 64);
  CHECK(contains(plain, ("(at " + line(kTwoLines + 4)).c_str()));
  CHECK(contains(plain, ("; the other at " + line(kTwoLines + 2) + ")").c_str()));
  const std::string atomic = fault_of(atomic_and_write, 1, 2);
  CHECK(contains(atomic, ("(at " + line(kAtomicAndWrite + 2)).c_str()));
  CHECK(contains(atomic, ("; the other at " + line(kAtomicAndWrite + 4) + ")").c_str()));
}
