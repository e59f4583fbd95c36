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

__global__ void poll_after_a_fence(volatile unsigned* flag) {
  __threadfence();
  while (*flag == 0) {
  }
}
constexpr int kPollLine = __LINE__ - 3;

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

[[maybe_unused]] __global__ void __launch_bounds__(96) bounded(float* out) { out[threadIdx.x] = 1; }

template <unsigned kThreads>
__launch_bounds__(kThreads, 2) __global__ void bounded_by_its_template(float* out) {
  out[threadIdx.x] = kThreads;
}

__global__ void set_one(float* out) { *out = 1; }

/// Static shared arrays of 40 KiB, and 12 KiB more if `both`.
__global__ void use_shared(bool both, float* out) {
  __shared__ float s[10 << 10];
  __shared__ float more[3 << 10];
  s[threadIdx.x] = 1;
  if (both) more[threadIdx.x] = 1;
  *out = s[threadIdx.x] + (both ? more[threadIdx.x] : 0);
}

namespace user {

ORDERLAB_DYNAMIC_SHARED(float, large);

__global__ void use_last(unsigned count, float* out) {
  extern __shared__ float large[];
  large[count - 1] = 5;
  *out = large[count - 1];
}

}  // namespace user

__global__ void read_by_cache(bool write_before, bool write_behind, float* data, float* out) {
  if (write_before) data[0] = 1;
  out[0] = __ldg(data);
  if (write_behind) atomicAdd(data, 1.0f);
}

std::string refusal_of(void (*kernel)(float*), simt::Dim3 grid, simt::Dim3 block) {
  simt::Device device;
  float* out = device.zeros<float>(1024);
  try {
    device.launch("limited", kernel, grid, block, 0, out);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
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

TEST_CASE("a wait at a volatile read names its line, not that of a primitive before" *
          doctest::skip(!kSymbolsAreKnown)) {
  simt::Device device;
  volatile unsigned* flag = device.zeros<unsigned>(1);
  CHECK(contains(fault_of([&] { device.launch("poll", poll_after_a_fence, 1, 1, 0, flag); }),
                 ("no thread does (at limits_test.cpp:" + std::to_string(kPollLine) + ")").c_str()));
}

TEST_CASE("a loop that polls comes to the conflict that it is, or is noticed") {
  CHECK(contains(poll_fault(1, 2, true), "has written, with no barrier"));
  CHECK(contains(poll_fault(1, 33, true), " with no barrier"));
  CHECK(contains(poll_fault(2, 1, false), "waits at a volatile read for what no thread does"));
}

TEST_CASE("grids and thread blocks have CUDA's limits") {
  CHECK(refusal_of(set_one, 1, simt::Dim3(1, 1, 64)) != refusal_of(set_one, 1, simt::Dim3(1, 1, 65)));
  CHECK(refusal_of(set_one, 1, simt::Dim3(1, 1, 65)) ==
        "launch of kernel limited: a thread block of 1 x 1 x 65 threads; it has 1 to 1024, at most 1024 x 1024 x 64");
  CHECK(
      refusal_of(set_one, simt::Dim3(1, 65536), 1) ==
      "launch of kernel limited: a grid of 1 x 65536 x 1 thread blocks; it has at least 1, at most 2147483647 x 65535 "
      "x 65535");
  CHECK(contains(refusal_of(set_one, simt::Dim3(1, 1, 65536), 1), "a grid of 1 x 1 x 65536 thread blocks"));
  CHECK(contains(refusal_of(set_one, simt::Dim3(1u << 31), 1), "a grid of 2147483648 x 1 x 1 thread blocks"));
}

#ifndef __clang__
TEST_CASE("__launch_bounds__ limit a launch, also those that depend on a template") {
  CHECK(refusal_of(bounded, 1, 96) == "");
  CHECK(refusal_of(bounded, 1, simt::Dim3(32, 4)) ==
        "launch of kernel limited: a thread block of 32 x 4 x 1 threads; its __launch_bounds__ allow 96");
  CHECK(refusal_of(bounded_by_its_template<64>, 1, 64) == "");
  CHECK(contains(refusal_of(bounded_by_its_template<64>, 1, 65), "its __launch_bounds__ allow 64"));
  CHECK(refusal_of(bounded_by_its_template<1024>, 1, 1024) == "");
}
#endif

TEST_CASE("static and dynamic shared memory have room together" * doctest::skip(!kSymbolsAreKnown)) {
  simt::Device device;
  float* out = device.zeros<float>(1);
  const auto launch = [&](bool both, std::size_t bytes) {
    return fault_of([&] { device.launch("use_shared", use_shared, 1, 1, bytes, both, out); });
  };
  CHECK(launch(false, 8 << 10) == "");
  CHECK(contains(launch(false, (8 << 10) + 4),
                 "static shared arrays of 40960 bytes and dynamic shared memory of 8196 bytes are in use; 49152 are "
                 "allowed together (at limits_test.cpp:"));
  CHECK(contains(launch(true, 0), "static shared arrays of 53248 bytes are in use; 49152 are allowed (at limits_test"));
}

TEST_CASE("more dynamic shared memory than 48 KiB is had by opting in, up to what the architecture has") {
  simt::Device device;
  float* out = device.zeros<float>(1);
  const auto launch = [&](std::size_t bytes) {
    device.launch("use_last", user::use_last, 1, 1, bytes, static_cast<unsigned>(bytes / sizeof(float)), out);
  };
  launch(48 << 10);
  CHECK_THROWS_WITH_AS(
      launch((48 << 10) + 4),
      doctest::Contains("at most 49152, or more after cudaFuncSetAttribute or Device::allow_dynamic_shared"), Error);
  device.allow_dynamic_shared(user::use_last, 163 << 10);
  launch(163 << 10);
  CHECK(bits_of(device.result(out)) == bits_of(5.0f));
  CHECK_THROWS_WITH_AS(launch((163 << 10) + 4), doctest::Contains("at most 166912"), Error);
  CHECK_THROWS_WITH_AS(
      device.allow_dynamic_shared(user::use_last, 164 << 10),
      doctest::Contains("167936 bytes of dynamic shared memory; compute capability 8.0 (__CUDA_ARCH__ is "
                        "800) has 166912"),
      Error);
}

TEST_CASE("what __ldg reads is not written in the same launch") {
  simt::Device device;
  float* data = device.zeros<float>(1, "data");
  float* out = device.zeros<float>(1);
  const auto launch = [&](bool before, bool behind) {
    return fault_of([&] { device.launch("ldg", read_by_cache, 1, 1, 0, before, behind, data, out); });
  };
  CHECK(launch(false, false) == "");
  CHECK(contains(launch(true, false),
                 "reads 4 bytes at byte 0 of device array \"data\" of 4 bytes by __ldg, which this "
                 "launch has written"));
  CHECK(contains(launch(false, true),
                 "does an atomic on 4 bytes at byte 0 of device array \"data\" of 4 bytes, which a "
                 "thread has read by __ldg"));
  CHECK(contains(launch(false, true), "(at limits_test.cpp:"));
  CHECK(launch(false, false) == "");
}
