// Accesses that begin in one array and end outside of it, at places that no index of a declared array names; and the
// lines that messages name.
#include <doctest/doctest.h>

#include "simt/launching.hpp"
#include "simt/symbols.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

/// Adds through a pointer, so that the compiler does not know whose bounds apply.
__device__ __noinline__ void put(float* array, unsigned index, float value) { array[index] = value; }

template <class T>
__global__ void sums_of_warps(T* out) {
  __shared__ T shared[8];
  put(shared, threadIdx.x, 1);
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x % 8];
}

[[maybe_unused]] __global__ void past_the_end(float* out, int index) {
  __shared__ float before[256];
  __shared__ float after[256];
  float* const pointer = threadIdx.x == 0 ? before : after;
  before[threadIdx.x] = after[threadIdx.x] = 0;
  pointer[index] = 1;
  *out = pointer[index];
}

[[maybe_unused]] __global__ void past_a_local_array(float* out, int index) {
  float local[4] = {1, 2, 3, 4};
  float* const pointer = local;
  pointer[index] = 5;
  *out = local[0] + local[3];
}

struct alignas(16) Four {
  float x, y, z, w;
};

[[maybe_unused]] __global__ void load_four(const float* in, float* out, int offset) {
  const Four& four = *reinterpret_cast<const Four*>(in + offset);
  *out = four.x + four.w;
}

__device__ float loaded(const float* from) { return *from; }

__global__ void load_by_a_function(const float* in, float* out) {
  *out = loaded(in + 1);
  *out += __ldg(in + 4);
}
constexpr int kLdgLine = __LINE__ - 2;

}  // namespace

TEST_CASE("names of a symbol table are those of the source") {
  const auto name = [](const char* symbol) {
    const simt::SourceName found = simt::source_name(symbol);
    return found.variable + " of " + found.function;
  };
  CHECK(name("counter") == "counter of ");
  CHECK(name("table.1") == "table of ");
  CHECK(name("_ZN5space5tableE") == "table of ");
  CHECK(name("_ZN12_GLOBAL__N_15tableE") == "table of ");
  CHECK(name("_ZZ6kernelPfE6shared") == "shared of kernel");
  CHECK(name("_ZZN12_GLOBAL__N_16kernelIfEEvPT_E6shared") == "shared of kernel<float>");
  CHECK(name("_ZZN5space4TreeIdLi4EE3sumERKS1_E6shared") == "shared of sum");
  CHECK(name("_ZZ6kernelPfE6shared_0") == "shared of kernel");
}

TEST_CASE("variables are found by the bytes that they hold") {
  const simt::VariableTable table(
      {{96, 4, "c", false}, {16, 32, "a", false}, {16, 8, "a'", false}, {48, 1, "b", false}});
  CHECK(table.size() == 3);
  CHECK(table[table.find(16, 32)].name == "a");
  CHECK(table[table.find(40, 8)].name == "a");
  CHECK(table[table.find(48, 1)].name == "b");
  CHECK(table[table.find(96, 4)].name == "c");
  for (const std::size_t begin : {0u, 15u, 49u, 60u, 95u, 97u, 100u, 1000u})
    CHECK(table.find(begin, 4) == simt::VariableTable::kNone);
  CHECK(table.find(47, 2) == simt::VariableTable::kNone);
  CHECK(table.nearest(0)->name == "a");
  CHECK(table.nearest(60)->name == "b");
  CHECK(table.nearest(90)->name == "c");
  CHECK(simt::VariableTable({}).nearest(0) == nullptr);
  CHECK(simt::VariableTable({}).find(0, 1) == simt::VariableTable::kNone);
}

TEST_CASE("static shared arrays end where they end, also behind a pointer" * doctest::skip(!kSymbolsAreKnown)) {
  CHECK(fault_of(sums_of_warps<float>, 1, 8) == "");
  CHECK(fault_of(sums_of_warps<float>, 1, 16) ==
        "kernel kernel, thread block 0, thread 8: writes 4 bytes at byte 32 of static shared array \"shared\" "
        "(sums_of_warps<float>) of 32 bytes: out of bounds (at array_bounds_test.cpp:14)");
}

#ifdef ORDERLAB_INDEX_CHECKS
TEST_CASE("one shared array does not go on in the next, nor a local array in what is behind it" *
          doctest::skip(!kSymbolsAreKnown)) {
  simt::Device device;
  float* out = device.zeros<float>(1);
  const auto launch = [&](auto kernel, int index) {
    return fault_of([&] { device.launch("past_the_end", kernel, 1, 1, 0, out, index); });
  };
  CHECK(launch(past_the_end, 255) == "");
  for (const int index : {256, 1023, -1})
    CHECK(contains(launch(past_the_end, index), "out of bounds (at array_bounds_test.cpp:29)"));
  CHECK(launch(past_a_local_array, 3) == "");
#ifndef __clang__  // which knows no sizes of objects behind a pointer
  for (const int index : {1024, 2048})
    CHECK(
        contains(launch(past_the_end, index), "outside of the array that its pointer belongs to: out of bounds (at "));
  CHECK(contains(launch(past_a_local_array, 4),
                 "accesses an object of type float outside of the array that its pointer belongs to: out of bounds (at "
                 "array_bounds_test.cpp:36)"));
#endif
}

TEST_CASE("vectors are at multiples of their size, not of their components'") {
  simt::Device device;
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  const float* in = device.input(std::span<const float>(values), "terms");
  float* out = device.zeros<float>(1);
  const auto launch = [&](int offset) {
    return fault_of([&] { device.launch("load_four", load_four, 1, 1, 0, in, out, offset); });
  };
  CHECK(launch(4) == "");
  CHECK(bits_of(device.read(out, 1)[0]) == bits_of(13.0f));
  for (const int offset : {1, 2})
    CHECK(launch(offset) == "kernel load_four, thread block 0, thread 0: accesses an object of type Four at byte " +
                                std::to_string(4 * offset) +
                                " of device array \"terms\", an input, of 32 bytes: the address is not a multiple of "
                                "16 (at array_bounds_test.cpp:45)");
}
#endif

TEST_CASE("a fault in an inlined function names the line there, one in a primitive that of its call" *
          doctest::skip(!kSymbolsAreKnown)) {
  simt::Device device;
  const std::vector<float> values{1, 2, 3, 4};
  const auto launch = [&](std::size_t count) {
    const float* in = device.input(std::span<const float>(values).first(count), "terms");
    float* out = device.zeros<float>(1, "sum");
    return fault_of([&] { device.launch("load", load_by_a_function, 1, 1, 0, in, out); });
  };
  CHECK(contains(launch(1),
                 "reads 4 bytes at byte 4 of device array \"terms\", an input, of 4 bytes: out of bounds (at "
                 "array_bounds_test.cpp:49)"));
  CHECK(contains(launch(4), ("at byte 16 of device array \"terms\", an input, of 16 bytes: out of bounds (at "
                             "array_bounds_test.cpp:" +
                             std::to_string(kLdgLine) + ")")
                                .c_str()));
}
