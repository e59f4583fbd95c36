// Five bugs of public CUDA code, each written anew: the wrong kernel is found, the mended one passes. No line is
// theirs.
#include <doctest/doctest.h>

#include "orderlab/host_kernel.hpp"
#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

constexpr unsigned kAllLanes = 0xFFFFFFFF;

__device__ inline float lanes_sum(float value) {
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_down_sync(kAllLanes, value, offset);
  return value;
}

/// NVIDIA/cuda-samples #398 (2025): the lanes with a warp sum shuffle among themselves, but from distance 16 on, where
/// no lane takes part.
template <bool kMended>
__global__ void add_warp_sums(const float* x, float* sum) {
  __shared__ float warp_sums[kWarp];
  const unsigned warps = blockDim.x / kWarp;
  float value = lanes_sum(x[threadIdx.x]);
  if (threadIdx.x % kWarp == 0) warp_sums[threadIdx.x / kWarp] = value;
  __syncthreads();
  const unsigned mask = __ballot_sync(kAllLanes, threadIdx.x < warps);
  if (threadIdx.x >= warps) return;
  value = warp_sums[threadIdx.x];
  const unsigned width = kMended ? warps : kWarp;
  for (unsigned offset = width / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(mask, value, offset, static_cast<int>(width));
  if (threadIdx.x == 0) *sum = value;
}

/// NVIDIA/cuda-samples #396 (2025): a plus where the first term of a thread needs a product. No access is wrong, but
/// some terms are added more than once and some not at all.
template <bool kMended, class T>
__global__ void add_strided(const T* x, std::size_t n, T* thread_sums) {
  std::size_t i = kMended ? blockDim.x * blockIdx.x : blockDim.x + blockIdx.x;
  T sum{};
  for (i += threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) sum += x[i];
  thread_sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <bool kMended>
struct AddStrided {
  static constexpr LaunchShape kShapes[] = {{64, 1, 4}, {128, 1, 3}};
  static constexpr KernelInfo kInfo{
      .name = "add_strided", .formats = kWide, .shapes = kShapes, .claim = [](const LaunchShape& shape, std::size_t n) {
        return "tile(" + tile_arguments(shape, n) + ") | seq(from=zero)";
      }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const unsigned grid = thread_blocks(in.shape, in.x.size());
    const std::size_t threads = std::size_t{grid} * in.shape.threads;
    T* const thread_sums = device.template zeros<T>(threads);
    device.launch(kInfo.name, add_strided<kMended, T>, grid, in.shape.threads, 0, device.input(in.x), in.x.size(),
                  thread_sums);
    T sum{};
    for (const T value : device.read(thread_sums, threads)) sum += value;
    return {.sum = sum, .shape = in.shape};
  }
};

template <bool kMended>
CrossCheckRow add_strided_against_claim() {
  const Executor executor = host_executor<AddStrided<kMended>>();
  return crosscheck({&executor, 1}, {.sizes = {1000}, .formats = {Format::fp64}, .threads = 1}).rows.at(0);
}

/// AMReX, blockReduce until commit 787bbca0b3 (2019): the second call writes the shared array that the first warp may
/// still be reading for the first call.
template <bool kMended>
__device__ float block_sum_of(float value) {
  __shared__ float warp_sums[kWarp];
  value = lanes_sum(value);
  if (kMended) __syncthreads();
  if (threadIdx.x % kWarp == 0) warp_sums[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / kWarp ? warp_sums[threadIdx.x] : 0.0f;
  return threadIdx.x < kWarp ? lanes_sum(value) : value;
}

template <bool kMended>
__global__ void sum_and_squares(const float* x, float* sums) {
  const float sum = block_sum_of<kMended>(x[threadIdx.x]);
  const float squares = block_sum_of<kMended>(x[threadIdx.x] * x[threadIdx.x]);
  if (threadIdx.x != 0) return;
  sums[0] = sum;
  sums[1] = squares;
}

/// HeCBench, atomicReduction, atomic_reduction_v4 (seen in 2026): four numbers per thread with a test of the first
/// only.
template <bool kMended>
__global__ void add_four_each(const int* x, int n, int* sum) {
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  int own = 0;
  for (int i = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 4 * threads)
    for (int j = i; j < (kMended ? min(i + 4, n) : i + 4); ++j) own += x[j];
  atomicAdd(sum, own);
}

/// flashinfer #3879 (2026): thread blocks whose last warp is not full. The butterfly reads lanes that do not exist, and
/// the last warp's sum is not counted. Rounding the count up, as first proposed, leaves the butterfly as it is.
enum class PartialWarp { as_found, only_counted, mended };

template <PartialWarp kState>
__device__ float butterfly(float value) {
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned lanes = min(kWarp, blockDim.x - (threadIdx.x - lane));
  const bool partial = kState == PartialWarp::mended && lanes < kWarp;
  const unsigned mask = partial ? (1U << lanes) - 1 : kAllLanes;
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    const unsigned partner = lane ^ distance;
    const bool absent = partial && partner >= lanes;
    const float other = __shfl_sync(mask, value, static_cast<int>(absent ? lane : partner));
    if (!absent) value += other;
  }
  return value;
}

template <PartialWarp kState>
__global__ void add_with_a_partial_warp(const float* x, float* sum) {
  __shared__ float warp_sums[kWarp + 1];
  const unsigned warps = (blockDim.x + (kState == PartialWarp::as_found ? 0 : kWarp - 1)) / kWarp;
  float value = butterfly<kState>(x[threadIdx.x]);
  if (threadIdx.x % kWarp == 0) warp_sums[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = butterfly<kState>(threadIdx.x < warps ? warp_sums[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) *sum = value;
}

struct Outcome {
  std::string fault;
  std::vector<float> sums;
};

/// `kernel` on one thread block of ones, one for each thread.
Outcome run_on_ones(void (*kernel)(const float*, float*), unsigned threads) {
  simt::Device device(schedule(0));
  const std::vector<float> ones(threads, 1.0f);
  const float* const x = device.input(std::span<const float>(ones));
  float* const sums = device.zeros<float>(2);
  std::string fault = fault_of([&] { device.launch("sum", kernel, 1, threads, 0, x, sums); });
  return {std::move(fault), device.read(sums, 2)};
}

std::string fault_at(void (*kernel)(const int*, int, int*), int n, int* sum) {
  simt::Device device(schedule(0));
  const std::vector<int> ones(static_cast<std::size_t>(n), 1);
  const int* const x = device.input(std::span<const int>(ones));
  int* const total = device.zeros<int>(1);
  std::string fault = fault_of([&] { device.launch("add_four_each", kernel, 2, 128, 0, x, n, total); });
  *sum = device.result(total);
  return fault;
}

}  // namespace

TEST_CASE("cuda-samples #398: warp sums are shuffled from lanes outside of the mask") {
  for (const unsigned threads : {64u, 256u, 512u}) {
    const std::string mask = threads == 64 ? "0x00000003" : threads == 256 ? "0x000000ff" : "0x0000ffff";
    const std::string fault = run_on_ones(add_warp_sums<false>, threads).fault;
    CHECK(contains(fault, ("reads a value from lane 16, which the mask " + mask + " does not name").c_str()));
    CHECK(contains(fault, "(at public_bugs_test.cpp:"));
    CHECK(run_on_ones(add_warp_sums<true>, threads).fault == "");
    CHECK(bits_of(run_on_ones(add_warp_sums<true>, threads).sums[0]) == bits_of(static_cast<float>(threads)));
  }
  CHECK(run_on_ones(add_warp_sums<false>, 1024).fault == "");
}

TEST_CASE("cuda-samples #396: terms are added twice and not at all") {
  const CrossCheckRow wrong = add_strided_against_claim<false>();
  CHECK(wrong.mismatches == wrong.cases);
  REQUIRE(wrong.first.has_value());
  CHECK(wrong.first->problem == "");
  CHECK(wrong.first->expected.has_value());
  CHECK(wrong.first->got.has_value());
  CHECK(wrong.first->expected != wrong.first->got);
  CHECK(contains(first_difference(wrong), "add_strided on host, fp64, n=1000"));
  CHECK(add_strided_against_claim<true>().mismatches == 0);
}

TEST_CASE("AMReX, 2019: a block sum writes the shared array that the previous one may still read") {
  const std::string fault = run_on_ones(sum_and_squares<false>, 256).fault;
  CHECK(contains(fault, "static shared "));
  CHECK(contains(fault, ", with no barrier between them; put a __syncthreads there"));
  const Outcome mended = run_on_ones(sum_and_squares<true>, 256);
  CHECK(mended.fault == "");
  for (const float sum : mended.sums) CHECK(bits_of(sum) == bits_of(256.0f));
}

TEST_CASE("HeCBench, atomic_reduction_v4: reads behind the array where 4 does not divide n") {
  int sum = 0;
  for (const int n : {1, 2, 3, 5, 4094, 4095}) {
    CHECK(contains(fault_at(add_four_each<false>, n, &sum),
                   ("reads 4 bytes at byte " + std::to_string(4 * n) + " of device array 0, an input, of " +
                    std::to_string(4 * n) + " bytes: out of bounds")
                       .c_str()));
    CHECK(fault_at(add_four_each<true>, n, &sum) == "");
    CHECK(sum == n);
  }
  CHECK(fault_at(add_four_each<false>, 4096, &sum) == "");
  CHECK(sum == 4096);
}

TEST_CASE("flashinfer #3879: a last warp that is not full") {
  for (const unsigned threads : {129u, 159u, 180u}) {
    for (const auto kernel :
         {add_with_a_partial_warp<PartialWarp::as_found>, add_with_a_partial_warp<PartialWarp::only_counted>}) {
      const std::string fault = run_on_ones(kernel, threads).fault;
      CHECK(contains(fault, "reads a value from lane "));
      CHECK(contains(fault, ", which its warp does not have"));
    }
    const Outcome mended = run_on_ones(add_with_a_partial_warp<PartialWarp::mended>, threads);
    CHECK(mended.fault == "");
    CHECK(bits_of(mended.sums[0]) == bits_of(static_cast<float>(threads)));
  }
  CHECK(run_on_ones(add_with_a_partial_warp<PartialWarp::as_found>, 192).fault == "");
}
