// Shared memory: static and dynamic arrays, and what belongs to which thread block.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

namespace user {

ORDERLAB_DYNAMIC_SHARED(float, own_name);
ORDERLAB_DYNAMIC_SHARED(unsigned, other_name);

__global__ void reverse_declared_inside(float* out) {
  extern __shared__ float own_name[];
  const unsigned t = threadIdx.x;
  own_name[t] = static_cast<float>(t);
  __syncthreads();
  out[t] = own_name[blockDim.x - 1 - t];
}

__global__ void read_by_another_name(bool wrong, unsigned* out) {
  extern __shared__ float own_name[];
  extern __shared__ unsigned other_name[];
  own_name[threadIdx.x] = 1.0f;
  if (!wrong) __syncthreads();
  out[threadIdx.x] = other_name[blockDim.x - 1 - threadIdx.x];
}

}  // namespace user

}  // namespace

namespace orderlab::cuda {

template <class T>
__global__ void reverse_dynamic(T* out) {
  extern __shared__ __align__(16) unsigned char dynamic_shared[];
  T* const s = reinterpret_cast<T*>(dynamic_shared);
  __shared__ T copy[64];
  const unsigned t = threadIdx.x;
  s[t] = static_cast<T>(t + 100 * blockIdx.x);
  __syncthreads();
  copy[t] = s[blockDim.x - 1 - t];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = copy[t];
}

}  // namespace orderlab::cuda

namespace {

__global__ void reverse_own_name(float* out) {
  float* const s = user::own_name;
  const unsigned t = threadIdx.x;
  s[t] = static_cast<float>(t);
  __syncthreads();
  out[t] = s[blockDim.x - 1 - t];
}

/// Every thread block counts in its shared memory, and takes turns with the others at each atomic.
__global__ void count_in_turns(unsigned* out, unsigned* meet, unsigned rounds) {
  __shared__ unsigned count[32];
  __shared__ unsigned char narrow[64];
  __shared__ unsigned total;
  const unsigned t = threadIdx.x;
  count[t] = 1000 * blockIdx.x;
  narrow[t] = static_cast<unsigned char>(blockIdx.x);
  if (t == 0) total = 0;
  __syncthreads();
  for (unsigned r = 0; r < rounds; ++r) {
    atomicAdd(meet, 1u);
    ++count[t];
    ++narrow[t];
    atomicAdd(&total, 1u);
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = count[t] + 100000 * narrow[t] + total * 100000000;
}

__global__ void use_halves_of_words(unsigned* out) {
  __shared__ unsigned short s[64];
  __shared__ unsigned words[32];
  const unsigned t = threadIdx.x;
  s[t] = static_cast<unsigned short>(t + 1);  // neighbours write the other half of the same word
  __syncthreads();
  if (t < 32) words[t] = reinterpret_cast<unsigned*>(s)[t];
  __syncthreads();
  if (t < 32) out[t] = words[t];
}

__global__ void use_parts_of_a_word(unsigned* out) {
  __shared__ unsigned words[32];
  const unsigned t = threadIdx.x;
  if (t < 32) words[t] = 0x10002 * t;
  __syncthreads();
  out[t] = reinterpret_cast<unsigned short*>(words)[t];
}

__global__ void use_unwritten(float* out) {
  __shared__ float s[64];
  if (threadIdx.x < 63) s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
constexpr int kUseUnwrittenLine = __LINE__ - 2;

__global__ void write_in_first_block_only(float* out) {
  __shared__ float s;
  if (blockIdx.x == 0) s = 1;
  out[blockIdx.x] = s;
}

__global__ void half_unwritten(float* out) {
  __shared__ float s[64];
  reinterpret_cast<unsigned short*>(s)[0] = 1;
  out[0] = s[0];
}

__global__ void dynamic_of(float* out, unsigned count) {
  float* const s = user::own_name;
  for (unsigned i = 0; i < count; ++i) s[i] = 1;
  out[0] = s[0];
}

}  // namespace

TEST_CASE("static and dynamic shared arrays hold what the threads put there") {
  for (const std::size_t resident : {1ul, 2ul, 3ul}) {
    simt::Device device(schedule(1, resident));
    double* wide = device.zeros<double>(192);
    device.launch("reverse_dynamic", cuda::reverse_dynamic<double>, 3, 64, 64 * sizeof(double), wide);
    const std::vector<double> got = device.read(wide, 192);
    for (unsigned i = 0; i < 192; ++i) CHECK(bits_of(got[i]) == bits_of(100.0 * (i / 64) + 63 - i % 64));
  }
}

TEST_CASE("a kernel may give dynamic shared memory a name of its own") {
  for (void (*kernel)(float*) : {reverse_own_name, user::reverse_declared_inside}) {
    simt::Device device;
    float* out = device.zeros<float>(48);
    device.launch("reverse", kernel, 1, 48, 48 * sizeof(float), out);
    const std::vector<float> got = device.read(out, 48);
    for (unsigned i = 0; i < 48; ++i) CHECK(bits_of(got[i]) == bits_of(static_cast<float>(47 - i)));
  }
}

TEST_CASE("all names of dynamic shared memory mean the same bytes") {
  simt::Device device;
  unsigned* out = device.zeros<unsigned>(48);
  const auto launch = [&](bool wrong) {
    return fault_of([&] {
      device.launch("read_by_another_name", user::read_by_another_name, 1, 48, 48 * sizeof(float), wrong, out);
    });
  };
  CHECK(launch(false) == "");
  CHECK(device.read(out, 48) == std::vector<unsigned>(48, 0x3F800000u));
  CHECK(contains(launch(true), "reads 4 bytes at byte 188 of dynamic shared memory of 192 bytes, which nothing"));
}

TEST_CASE("dynamic shared memory ends where the launch says") {
  simt::Device device;
  float* out = device.zeros<float>(1);
  const auto launch = [&](unsigned count, std::size_t bytes) {
    return fault_of([&] { device.launch("dynamic_of", dynamic_of, 1, 1, bytes, out, count); });
  };
  CHECK(launch(10, 40) == "");
  CHECK(contains(launch(11, 40), "writes 4 bytes at byte 40 of dynamic shared memory of 40 bytes: out of bounds"));
  CHECK(contains(launch(10, 38), "at byte 36 of dynamic shared memory of 38 bytes"));
  CHECK(contains(launch(1, 0), "at byte 0 of dynamic shared memory of 0 bytes"));
  CHECK(launch(simt::kSharedBytes / 4, simt::kSharedBytes) == "");
  CHECK_THROWS_WITH_AS(device.launch("dynamic_of", dynamic_of, 1, 1, simt::kSharedBytes + 1, out, 1u),
                       doctest::Contains("at most 49152"), Error);
}

TEST_CASE("resident thread blocks have shared memory each, kept while others run") {
  for (const std::size_t resident : {1ul, 2ul, 5ul, 8ul}) {
    for (std::uint64_t sample = 0; sample < 5; ++sample) {
      simt::Device device(schedule(sample, resident));
      unsigned* out = device.zeros<unsigned>(8 * 32);
      unsigned* meet = device.zeros<unsigned>(1);
      device.launch("count_in_turns", count_in_turns, 8, 32, 0, out, meet, 4u);
      const std::vector<unsigned> got = device.read(out, 8 * 32);
      for (unsigned i = 0; i < 8 * 32; ++i)
        CHECK(got[i] == 1000 * (i / 32) + 4 + 100000 * (i / 32 + 4) + 4 * 32 * 100000000u);
      CHECK(device.read(meet, 1)[0] == 8 * 32 * 4);
    }
  }
}

TEST_CASE("parts of a word are told apart") {
  simt::Device device;
  unsigned* out = device.zeros<unsigned>(64);
  device.launch("use_halves_of_words", use_halves_of_words, 1, 64, 0, out);
  const std::vector<unsigned> got = device.read(out, 32);
  for (unsigned i = 0; i < 32; ++i) CHECK(got[i] == (2 * i + 1) + ((2 * i + 2) << 16));
  device.launch("use_parts_of_a_word", use_parts_of_a_word, 1, 64, 0, out);
  const std::vector<unsigned> parts = device.read(out, 64);
  for (unsigned i = 0; i < 64; ++i) CHECK(parts[i] == (i % 2 == 0 ? i / 2 * 2 : i / 2));
  CHECK(contains(fault_of(half_unwritten, 1, 1), "which nothing has written"));
}

TEST_CASE("shared memory that nothing in the thread block has written is not read" * doctest::skip(!kSymbolsAreKnown)) {
  CHECK(fault_of(use_unwritten, 1, 63) == "");
  const std::string fault = fault_of(use_unwritten, 1, 64);
  CHECK(fault ==
        "kernel kernel, thread block 0, thread 63: reads 4 bytes at byte 252 of static shared array \"s\" "
        "(use_unwritten) of 256 bytes, which nothing has written: reads shared memory before its thread block set it "
        "(at shared_memory_test.cpp:" +
            std::to_string(kUseUnwrittenLine) + ")");
  CHECK(fault_of(write_in_first_block_only, 1, 1) == "");
  for (const std::size_t resident : {1ul, 2ul})  // not even if another thread block has
    CHECK(contains(fault_of(write_in_first_block_only, 2, 1, 2, 0, schedule(0, resident, "launch")),
                   "thread block 1, thread 0: reads 4 bytes at byte 0 of static shared array \"s\" "
                   "(write_in_first_block_only) of 4 bytes, which nothing has written"));
}
