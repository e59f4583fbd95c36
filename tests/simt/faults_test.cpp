// Each kind of undefined behaviour, by a small wrong kernel, beside the right one; and launches after a fault.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

__global__ void write_at(float* out, const float* in, int index, int from) { out[index] = in[from]; }

__global__ void write_input(float* out) { out[0] = 1; }

__global__ void add_to_input(float* in) { atomicAdd(in, 1.0f); }

__global__ void misplaced(char* out, int offset) { *reinterpret_cast<double*>(out + offset) = 1; }

__global__ void misplaced_atomic(char* out, int offset) { atomicAdd(reinterpret_cast<double*>(out + offset), 1.0); }

__global__ void read_pointer(float* out, const float* pointer) { *out = *pointer; }

__global__ void shuffle_with(unsigned mask, int source, unsigned* out) {
  if ((mask >> threadIdx.x & 1) != 0) out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, source);
}

__global__ void shuffle_all(unsigned mask, unsigned* out) { out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, 0); }

__global__ void shuffle_width(int width, unsigned* out) {
  out[threadIdx.x] = __shfl_down_sync(0xFFFFFFFF, threadIdx.x, 1u, width);
}

__global__ void end_early(unsigned last, unsigned* out) {
  if (threadIdx.x > last) return;
  out[threadIdx.x] = __shfl_sync(0xFFFFFFFF, threadIdx.x, 0);
}

__global__ void end_late(unsigned first, unsigned* out) {
  if (threadIdx.x < first) return;
  out[threadIdx.x] = __shfl_sync(0xFFFFFFFF, threadIdx.x, 0);
}

__global__ void vote_in_two_places(bool wrong, unsigned* out) {
  if (wrong && threadIdx.x % 2 == 0)
    out[threadIdx.x] = __ballot_sync(0xFFFFFFFF, true);
  else
    out[threadIdx.x] = __ballot_sync(wrong ? 0xFFFFFFFF : 0xFFFFFFFFu, true);
}

/// Lane 0 stores in front of its own __syncwarp, the others read behind theirs; kWrong: a vote is no __syncwarp.
template <bool kWrong>
__global__ void synchronise_in_two_places(unsigned* out) {
  __shared__ unsigned s;
  if (threadIdx.x == 0) {
    s = 5;
    if (kWrong)
      __ballot_sync(0xFFFFFFFF, true);
    else
      __syncwarp();
  } else {
    __syncwarp();
    out[threadIdx.x] = s;
  }
}

__global__ void different_masks(bool wrong, unsigned* out) {
  out[threadIdx.x] = __ballot_sync(wrong && threadIdx.x == 5 ? 0x7FFFFFFFu : 0xFFFFFFFFu, true);
}

__global__ void barrier_for_some(unsigned limit, unsigned* out) {
  if (threadIdx.x < limit) __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void two_barriers(bool wrong, unsigned* out) {
  if (!wrong || threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void shuffle_or_barrier(bool wrong, unsigned* out) {
  if (wrong && threadIdx.x == 3) __syncthreads();
  out[threadIdx.x] = __shfl_sync(0xFFFFFFFF, threadIdx.x, 0);
  if (!wrong) __syncthreads();
}

[[maybe_unused]] __global__ void static_index(int index, unsigned* out) {
  __shared__ unsigned s[4];
  s[index] = 5;
  out[0] = s[index];
}

__constant__ float table[4] = {1, 2, 3, 4};

__global__ void read_constants(float* out) { out[threadIdx.x] = table[threadIdx.x] + warpSize; }

template <class Kernel, class... Arguments>
std::string run(Kernel kernel, simt::Dim3 grid, simt::Dim3 block, const Arguments&... arguments) {
  simt::Device device;
  unsigned* out = device.zeros<unsigned>(1024);
  return fault_of([&] { device.launch("wrong", kernel, grid, block, 0, arguments..., out); });
}

}  // namespace

TEST_CASE("arrays end where they end, in both directions") {
  simt::Device device;
  const std::vector<float> values(10, 1.0f);
  const float* in = device.input(std::span<const float>(values));
  float* out = device.zeros<float>(20);
  const auto launch = [&](int index, int from) {
    return fault_of([&] { device.launch("write_at", write_at, 1, 1, 0, out, in, index, from); });
  };
  CHECK(launch(0, 0) == "");
  CHECK(launch(19, 9) == "");
  CHECK(launch(20, 0) == std::string("kernel write_at, thread block 0, thread 0: writes 4 bytes at byte 80 of device "
                                     "array 1 of 80 bytes: out of bounds") +
                             (kSymbolsAreKnown ? " (at faults_test.cpp:11)" : ""));
  CHECK(contains(launch(-1, 0), "writes 4 bytes at byte -4 of device array 1 of 80 bytes: out of bounds"));
  CHECK(contains(launch(0, 10), "reads 4 bytes at byte 40 of device array 0, an input, of 40 bytes: out of bounds"));
  CHECK(contains(launch(0, -2), "reads 4 bytes at byte -8 of device array 0, an input, of 40 bytes"));
  CHECK(contains(launch(1 << 28, 0), "that belong to no array of device or shared memory: out of bounds"));
}

TEST_CASE("inputs are read only, by atomics too") {
  simt::Device device;
  const std::vector<float> values(4, 1.0f);
  float* in = const_cast<float*>(device.input(std::span<const float>(values)));
  CHECK(contains(fault_of([&] { device.launch("write_input", write_input, 1, 1, 0, in); }),
                 "writes 4 bytes at byte 0 of device array 0, an input, of 16 bytes: inputs can only be read"));
  CHECK(
      contains(fault_of([&] { device.launch("add_to_input", add_to_input, 1, 1, 0, in); }), "inputs can only be read"));
  CHECK(device.read(in, 4) == values);
}

TEST_CASE("accesses and atomics are at multiples of their size") {
  simt::Device device;
  char* out = device.zeros<char>(64);
  const auto launch = [&](auto kernel, int offset) {
    return fault_of([&] { device.launch("misplaced", kernel, 1, 1, 0, out, offset); });
  };
  CHECK(launch(misplaced, 8) == "");
  CHECK(
      contains(launch(misplaced, 4),
               "at byte 4 of device array 0 of 64 bytes: the address is not a multiple of 8 (at faults_test.cpp:17)"));
  CHECK(launch(misplaced_atomic, 8) == "");
  CHECK(contains(launch(misplaced_atomic, 12), "the address is not a multiple of 8 (at faults_test.cpp:19)"));
}

TEST_CASE("memory of the host is out of bounds, constants are not") {
  simt::Device device;
  float* out = device.zeros<float>(4);
  float on_stack = 1;
  const auto on_heap = std::make_unique<float>(1.0f);
  const auto launch = [&](const float* p) {
    return fault_of([&] { device.launch("read_pointer", read_pointer, 1, 1, 0, out, p); });
  };
  CHECK(contains(launch(&on_stack), "belong to no array"));
  CHECK(contains(launch(on_heap.get()), "belong to no array"));
  CHECK(contains(launch(nullptr), "belong to no array"));
  CHECK(launch(table) == "");
  CHECK(fault_of([&] { device.launch("read_constants", read_constants, 1, 4, 0, out); }) == "");
  CHECK(device.read(out, 4) == std::vector<float>{33, 34, 35, 36});
}

TEST_CASE("a shuffle reads from lanes that its mask names") {
  CHECK(run(shuffle_with, 1, 32, 0x0000FFFFu, 3) == "");
  CHECK(contains(run(shuffle_with, 1, 32, 0x0000FFFFu, 17),
                 "reads a value from lane 17, which the mask 0x0000ffff does not name"));
  CHECK(contains(run(shuffle_with, 1, 32, 0x0000FFFFu, 17), "(at faults_test.cpp:"));
}

TEST_CASE("a mask names the caller; a shuffle reads from lanes that exist and have not ended") {
  CHECK(run(shuffle_all, 1, 32, 0xFFFFFFFFu) == "");
  CHECK(contains(run(shuffle_all, 1, 32, 0xFFFFFFFEu), "thread 0: names the mask 0xfffffffe, in which its own lane 0"));
  CHECK(run(shuffle_all, 1, 8, 0xFFu) == "");
  CHECK(run(shuffle_all, 1, 8, 0xFFFFFFFFu) == "");
  CHECK(run(shuffle_with, 1, 8, 0xFFFFFFFFu, 7) == "");
  CHECK(contains(run(shuffle_with, 1, 8, 0xFFFFFFFFu, 8), "reads a value from lane 8, which its warp does not have"));
  CHECK(run(end_early, 1, 32, 31u) == "");
  CHECK(run(end_early, 1, 32, 29u) == "");
  CHECK(run(end_late, 1, 32, 0u) == "");
  CHECK(contains(run(end_late, 1, 32, 2u), "reads a value from lane 0, which has ended"));
}

TEST_CASE("a group of a shuffle is a power of two of lanes") {
  for (const int width : {1, 8, 32}) CHECK(run(shuffle_width, 1, 32, width) == "");
  for (const int width : {0, -4, 3, 33, 64})
    CHECK(contains(run(shuffle_width, 1, 32, width), "a width is a power of two"));
}

TEST_CASE("all lanes of a mask come to the same call with the same mask") {
  CHECK(run(vote_in_two_places, 1, 32, false) == "");
  CHECK(contains(run(vote_in_two_places, 1, 32, true), "thread 0: waits for ever for thread 1"));
  CHECK(run(synchronise_in_two_places<false>, 1, 32) == "");
  CHECK(contains(run(synchronise_in_two_places<true>, 1, 32), "thread 0: waits for ever for thread 1"));
  CHECK(run(different_masks, 1, 32, false) == "");
  CHECK(contains(run(different_masks, 1, 32, true), "waits for ever for thread"));
  CHECK(run(shuffle_or_barrier, 1, 32, false) == "");
  CHECK(contains(run(shuffle_or_barrier, 1, 32, true), "waits for ever for thread 3"));
}

TEST_CASE("all threads that have not ended come to the same barrier") {
  for (const unsigned limit : {0u, 1u, 32u, 63u, 64u}) CHECK(run(barrier_for_some, 1, 64, limit) == "");
  CHECK(run(two_barriers, 1, 64, false) == "");
  CHECK(contains(run(two_barriers, 1, 64, true), "waits at a divergent barrier: thread "));
  CHECK(contains(run(two_barriers, 1, 64, true), "waits at another, faults_test.cpp:"));
}

#ifdef ORDERLAB_INDEX_CHECKS
TEST_CASE("indices of static arrays are inside them") {
  CHECK(run(static_index, 1, 1, 3) == "");
  CHECK(contains(run(static_index, 1, 1, 4), "uses index 4, out of bounds of its array (at "));
  CHECK(contains(run(static_index, 1, 1, 4), "faults_test.cpp:"));
}
#endif

TEST_CASE("a fault names the kernel, the thread block and the thread") {
  simt::Device device;
  float* out = device.zeros<float>(6 * 4 - 1);
  const std::string fault = fault_of([&] {
    device.launch(
        "last_one_outside",
        +[](float* o) { o[blockIdx.x * blockDim.x * 2 + threadIdx.y * blockDim.x + threadIdx.x] = 1; }, 3,
        simt::Dim3(4, 2), 0, out);
  });
  CHECK(contains(fault,
                 "kernel last_one_outside, thread block 2, thread 7: writes 4 bytes at byte 92 of device array 0 "));
}

TEST_CASE("a device can be used after a fault, and so can others on the same OS thread") {
  simt::Device device;
  const std::vector<float> values(10, 1.0f);
  const float* in = device.input(std::span<const float>(values));
  float* out = device.zeros<float>(20);
  unsigned* counts = device.zeros<unsigned>(1024);
  for (int round = 0; round < 50; ++round) {
    CHECK(fault_of([&] { device.launch("write_at", write_at, 1, 1, 0, out, in, 20, 0); }) != "");
    CHECK(fault_of([&] { device.launch("two_barriers", two_barriers, 3, 256, 0, true, counts); }) != "");
    CHECK(fault_of([&] { device.launch("write_at", write_at, 1, 1, 0, out, in, 5, 0); }) == "");
    CHECK(run(shuffle_all, 1, 32, 0xFFFFFFFFu) == "");
  }
  CHECK(bits_of(device.read(out, 20)[5]) == bits_of(1.0f));
}

TEST_CASE("launches, schedules and reads that cannot be are refused") {
  simt::Device device;
  float* out = device.zeros<float>(4);
  const auto launch = [&](simt::Dim3 grid, simt::Dim3 block) {
    device.launch("write_input", write_input, grid, block, 0, out);
  };
  CHECK_THROWS_WITH_AS(launch(1, 1025), doctest::Contains("a thread block of 1025 x 1 x 1 threads"), Error);
  CHECK_THROWS_AS(launch(1, simt::Dim3(32, 32, 2)), Error);
  CHECK_THROWS_AS(launch(1, 0), Error);
  CHECK_THROWS_WITH_AS(launch(0, 1), doctest::Contains("a grid of 0 x 1 x 1"), Error);
  CHECK_THROWS_AS(simt::Device({.resident = 0}), Error);
  CHECK_THROWS_AS(simt::Device({.arrival = "nonsense"}), Error);
  CHECK_THROWS_WITH_AS(device.read(out, 5), doctest::Contains("not all in one array"), Error);
  CHECK_THROWS_WITH_AS(__syncthreads(), doctest::Contains("called outside of a kernel"), Error);
}
