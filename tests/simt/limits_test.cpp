// What a thread runs out of: local memory, and others that could end its wait.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

__device__ __noinline__ int recurse(int depth) {
  volatile int local[256];  // 1 KiB
  local[depth % 256] = depth;
  return depth == 0 ? 0 : recurse(depth - 1) + local[depth % 256];
}

__global__ void go_deep(int depth, int* out) { out[threadIdx.x] = recurse(depth); }

/// Frames almost as large as the compiler lets pass.
__device__ __noinline__ float with_large_frame(int depth) {
  float local[10'000];
  for (int i = 0; i < 10'000; ++i) local[i] = static_cast<float>(i % 4);
  return depth == 0 ? local[2] : with_large_frame(depth - 1) + local[depth];
}

__global__ void use_large_frames(int depth, float* out) { out[threadIdx.x] = with_large_frame(depth); }

__global__ void wait_for_nobody(unsigned* out) {
  while (atomicAdd(out, 0u) == 0) {
  }
}

__global__ void poll(bool writer, unsigned* out) {
  volatile unsigned* const flag = out;
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    out[1] = 1;
  } else if (writer) {
    *flag = 1;
  }
}

std::string poll_fault(unsigned grid, unsigned block, bool writer) {
  simt::Device device;
  unsigned* out = device.zeros<unsigned>(2);
  return fault_of([&] { device.launch("poll", poll, grid, block, 0, writer, out); });
}

}  // namespace

TEST_CASE("local memory is enough for modest arrays and depths, and its end is noticed") {
  simt::Device device;
  int* out = device.zeros<int>(64);
  device.launch("go_deep", go_deep, 1, 64, 0, 20, out);
  CHECK(device.read(out, 64) == std::vector<int>(64, 20 * 21 / 2));
  CHECK(contains(fault_of([&] { device.launch("go_deep", go_deep, 1, 1, 0, 1000000, out); }),
                 "needs more local memory than there is"));
}

TEST_CASE("a large array is in local memory or is noticed not to be, whichever stack it is on") {
  simt::Device device;
  float* out = device.zeros<float>(1024);
  for (const unsigned threads : {1u, 32u, 1024u}) {
    device.launch("use_large_frames", use_large_frames, 1, threads, 0, 0, out);
    CHECK(device.read(out, threads) == std::vector<float>(threads, 2.0f));
    for (int depth = 1; depth < 4; ++depth)
      CHECK(contains(fault_of([&] { device.launch("large", use_large_frames, 1, threads, 0, depth, out); }),
                     "needs more local memory than there is"));
  }
}

TEST_CASE("a wait that nothing ends is noticed") {
  simt::Device device;
  unsigned* out = device.zeros<unsigned>(1);
  CHECK(contains(fault_of([&] { device.launch("wait_for_nobody", wait_for_nobody, 1, 2, 0, out); }),
                 "waits at an atomic for what no thread does (at limits_test.cpp:"));
}

TEST_CASE("a loop that polls comes to the conflict that it is, or is noticed") {
  CHECK(contains(poll_fault(1, 2, true), "has written, with no barrier"));
  CHECK(contains(poll_fault(1, 33, true), " with no barrier"));
  CHECK(contains(poll_fault(2, 1, false), "waits at a volatile read for what no thread does"));
}
