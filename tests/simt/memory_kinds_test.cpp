// What memory holds before a kernel writes it: arrays of each kind, __device__ variables, locals, shared objects of
// classes.
#include <doctest/doctest.h>

#include <bit>
#include <thread>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

__device__ unsigned launches_done = 7;
__device__ float weights[4] = {1, 2, 3, 4};

namespace {

__device__ double once_named[3];

__global__ void add_to(const float* in, float* sum) { atomicAdd(sum, in[threadIdx.x]); }
constexpr int kAddToLine = __LINE__ - 1;

__global__ void add_half(float* sum) { *sum += 0.5f; }

__global__ void write_some(float* out, unsigned count) {
  if (threadIdx.x < count) out[threadIdx.x] = 1;
}

__global__ void replace(unsigned* cell) { atomicExch(cell, 5u); }

__global__ void read_all(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void use_variables(float* out) {
  if (threadIdx.x == 0) out[4] = static_cast<float>(atomicAdd(&launches_done, 1u));
  out[threadIdx.x] = weights[threadIdx.x];
  weights[threadIdx.x] += 10;
}

__global__ void race_for_a_variable(unsigned index, double* out) {
  once_named[threadIdx.x * index] = 1;
  out[threadIdx.x] = 0;
}

__global__ void count_up(unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) atomicAdd(&launches_done, 1u);
}

/// Sets `count` of the four numbers that it adds up.
__global__ void sum_of_four(unsigned count, const float* in, float* out) {
  float parts[4];
  for (unsigned i = 0; i < count; ++i) parts[i] = in[i];
  *out = parts[0] + parts[1] + parts[2] + parts[3];
}

#pragma GCC diagnostic push
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wsometimes-uninitialized"
#else
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
/// Unless `set`, the sum starts at what the stack held.
__global__ void sum_from_anywhere(bool set, const float* in, float* out) {
  float sum;
  if (set) sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum += in[i];
  *out = sum;
}
#pragma GCC diagnostic pop

struct WithDefaulted {
  float value;
  int index;
  WithDefaulted() = default;
};

struct WithEmpty {
  float value;
  int index;
  __device__ WithEmpty() {}
};

template <class T>
__global__ void pass_objects(float* out) {
  __shared__ T one;
  __shared__ T each[32];
  const unsigned t = threadIdx.x;
  each[t].value = static_cast<float>(t);
  if (t == 0) one.value = 100;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = each[31 - t].value + one.value;
}

template <class T>
__global__ void read_unset_object(float* out) {
  __shared__ T one;
  out[threadIdx.x] = one.value;
}

#if __CUDA_ARCH__ >= 700
constexpr bool kTakesNewBranches = true;
#else
constexpr bool kTakesNewBranches = false;
#endif

const std::vector<float> kFour{1, 2, 3, 4};

}  // namespace

TEST_CASE("an uninitialised accumulator is a fault, a set one is not") {
  simt::Device device;
  const float* in = device.input(std::span<const float>(kFour));
  const auto launch = [&](float* sum) { return fault_of([&] { device.launch("add_to", add_to, 1, 4, 0, in, sum); }); };
  CHECK(launch(device.zeros<float>(1)) == "");
  float* const filled = device.filled<float>(3, 0.25f);
  CHECK(launch(filled + 1) == "");
  CHECK(device.read(filled, 3) == std::vector<float>{0.25f, 10.25f, 0.25f});
  float* const unset = device.uninitialised<float>(1, "sum");
  CHECK(fault_of([&] { device.launch("add_to", add_to, 1, 1, 0, in, unset); }) ==
        "kernel add_to, thread block 0, thread 0: does an atomic on 4 bytes at byte 0 of device array \"sum\" of 4 "
        "bytes, which nothing has written: uninitialised memory holds anything; set it first, as by cudaMemset (at "
        "memory_kinds_test.cpp:" +
            std::to_string(kAddToLine) + ")");
  float* const unnamed = device.uninitialised<float>(1);
  CHECK(contains(fault_of([&] { device.launch("add_half", add_half, 1, 1, 0, unnamed); }),
                 "reads 4 bytes at byte 0 of device array 4 of 4 bytes, which nothing has written"));
}

TEST_CASE("what a launch writes to uninitialised memory, later ones may read; the rest stays unset") {
  simt::Device device;
  float* const array = device.uninitialised<float>(4);
  float* const out = device.zeros<float>(4);
  device.launch("write_some", write_some, 1, 4, 0, array, 3u);
  const std::vector<float> got = device.read(array, 4);
  CHECK(bits_of(got[2]) == bits_of(1.0f));
  CHECK(std::bit_cast<unsigned>(got[3]) == 0xFFFFFFFFu);
  CHECK(fault_of([&] { device.launch("read_all", read_all, 1, 3, 0, array, out); }) == "");
  CHECK(contains(fault_of([&] { device.launch("read_all", read_all, 1, 4, 0, array, out); }), "thread 3: reads"));
  unsigned* const cell = device.uninitialised<unsigned>(1);
  CHECK(fault_of([&] { device.launch("replace", replace, 1, 1, 0, cell); }) == "");
  CHECK(device.result(cell) == 5);
}

TEST_CASE("an array may hold values and be written") {
  simt::Device device;
  float* const array = device.copy(std::span<const float>(kFour));
  device.launch("add_half", add_half, 1, 1, 0, array);
  CHECK(device.read(array, 4) == std::vector<float>{1.5f, 2, 3, 4});
}

TEST_CASE("__device__ variables begin as declared and keep what launches of a device leave" *
          doctest::skip(!kSymbolsAreKnown)) {
  for (int round = 0; round < 2; ++round) {  // a device does not see what another left
    simt::Device device;
    float* const out = device.zeros<float>(5);
    CHECK(device.read(&launches_done, 1)[0] == 7);
    device.launch("use_variables", use_variables, 1, 4, 0, out);
    CHECK(device.read(out, 5) == std::vector<float>{1, 2, 3, 4, 7});
    device.launch("use_variables", use_variables, 1, 4, 0, out);
    CHECK(device.read(out, 5) == std::vector<float>{11, 12, 13, 14, 8});
    CHECK(device.read(weights, 4) == std::vector<float>{21, 22, 23, 24});
    CHECK(device.result(&launches_done) == 9);
    CHECK(launches_done == 7);
  }
}

TEST_CASE("__device__ variables have bounds and conflicts" * doctest::skip(!kSymbolsAreKnown)) {
  simt::Device device;
  double* const out = device.zeros<double>(64);
  const auto launch = [&](unsigned threads, unsigned index) {
    return fault_of([&] { device.launch("race", race_for_a_variable, 1, threads, 0, index, out); });
  };
  CHECK(launch(3, 1) == "");
  CHECK(device.read(once_named, 3) == std::vector<double>(3, 1.0));
  CHECK(
      contains(launch(2, 0), "writes 8 bytes at byte 0 of __device__ variable \"once_named\" of 24 bytes that thread"));
  CHECK(contains(launch(4, 1), "out of bounds"));
  CHECK(launch(3, 1) == "");
}

TEST_CASE("devices on several OS threads have __device__ variables each" * doctest::skip(!kSymbolsAreKnown)) {
  std::vector<unsigned> counts(4);
  std::vector<std::thread> threads;
  for (unsigned& count : counts) {
    threads.emplace_back([&count] {
      simt::Device device;
      for (int i = 0; i < 20; ++i) device.launch("count_up", count_up, 2, 8, 0, 3u);
      count = device.result(&launches_done);
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(counts == std::vector<unsigned>(4, 7 + 20 * 2 * 8 * 3));
}

TEST_CASE("a local variable that is not set is not 0") {
  simt::Device device;
  const float* in = device.input(std::span<const float>(kFour));
  float* const out = device.zeros<float>(1);
  const auto sum = [&](unsigned count) {
    device.launch("sum_of_four", sum_of_four, 1, 1, 0, count, in, out);
    return device.result(out);
  };
  CHECK(bits_of(sum(4)) == bits_of(10.0f));
  device.launch("add_half", add_half, 1, 1, 0, out);
  CHECK(bits_of(sum(3)) != bits_of(10.0f));
  CHECK(bits_of(sum(3)) != bits_of(6.0f));
  for (const bool set : {true, false}) {
    device.launch("sum_from_anywhere", sum_from_anywhere, 1, 1, 0, set, in, out);
    CHECK((bits_of(device.result(out)) == bits_of(10.0f)) == set);
  }
}

TEST_CASE("shared objects of classes hold what threads put there, and nothing before" *
          doctest::skip(!kSymbolsAreKnown)) {
  simt::Device device;
  float* const out = device.zeros<float>(96);
  for (void (*kernel)(float*) : {pass_objects<WithDefaulted>, pass_objects<WithEmpty>}) {
    CHECK(fault_of([&] { device.launch("pass_objects", kernel, 3, 32, 0, out); }) == "");
    const std::vector<float> got = device.read(out, 96);
    for (unsigned i = 0; i < 96; ++i) CHECK(bits_of(got[i]) == bits_of(static_cast<float>(131 - i % 32)));
  }
  for (void (*kernel)(float*) : {read_unset_object<WithDefaulted>, read_unset_object<WithEmpty>})
    CHECK(contains(fault_of([&] { device.launch("read_unset_object", kernel, 1, 1, 0, out); }),
                   "of static shared array \"one\" (read_unset_object<"));
}

TEST_CASE("kernels take the branches of a current architecture") {
  CHECK(kTakesNewBranches);
  CHECK(simt::compute_architecture() == 800);
}
