// Kernels of one's own without a claim.
#include <doctest/doctest.h>

#include <string>

#include "orderlab/cuda_on_host.hpp"
#include "orderlab/order.hpp"
// The kernels come after what makes them C++.
#include "orderlab/host_kernel.hpp"

namespace orderlab {
namespace {

constexpr LaunchShape kTwoShapes[] = {{.threads = 64, .items = 2}, {.threads = 256, .items = 2}};
constexpr LaunchShape kFourItems[] = {{.threads = 64, .items = 4}};
constexpr LaunchShape kThreeWarps[] = {{.threads = 96, .items = 2}};
constexpr LaunchShape kOneTerm[] = {{.threads = 32}};

// Every thread adds two neighbours, and each warp adds up its threads.
template <class T>
__global__ void neighbours(const T* x, std::size_t n, T* warp_sums) {
  const std::size_t i = 2 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  T value = (i < n ? x[i] : T{}) + (i + 1 < n ? x[i + 1] : T{});
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffff, value, mask);
  if (threadIdx.x % 32 == 0) warp_sums[i / 64] = value;
}

struct Neighbours {
  static constexpr KernelInfo kInfo{.name = "neighbours", .formats = kWide, .shapes = kTwoShapes};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t n = in.x.size();
    const unsigned grid = thread_blocks(in.shape, n);
    T* const warp_sums = device.template zeros<T>(std::size_t{grid} * in.shape.threads / 32);
    device.launch(kInfo.name, neighbours<T>, grid, in.shape.threads, 0, device.input(in.x), n, warp_sums);
    T sum{};
    for (const T& value : device.read(warp_sums, (n + 63) / 64)) sum += value;
    return {.sum = sum, .shape = in.shape};
  }
};

// One atomic a warp. Its description does not say so.
template <class T>
__global__ void warps(const T* x, std::size_t n, T* sum, bool races) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  T value = i < n ? x[i] : T{};
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffff, value, mask);
  if (threadIdx.x != 0) return;
  if (races)
    *sum += value;
  else
    atomicAdd(sum, value);
}

template <bool kRaces>
struct Warps {
  static constexpr KernelInfo kInfo{.name = "warps", .formats = kWide, .shapes = kOneTerm};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    T* const sum = device.template zeros<T>(1);
    device.launch(kInfo.name, warps<T>, thread_blocks(in.shape, in.x.size()), in.shape.threads, 0, device.input(in.x),
                  in.x.size(), sum, kRaces);
    return {.sum = device.read(sum, 1)[0], .shape = in.shape};
  }
};

// Each thread adds its products with fused multiply-adds, and each thread block its threads; one atomic a thread block.
template <class T>
__global__ void fused_blocks(const T* x, const T* y, std::size_t n, unsigned items, T* sum) {
  __shared__ T parts[64];
  T value{};
  for (unsigned k = 0; k < items; ++k) {
    const std::size_t i = (std::size_t{blockIdx.x} * items + k) * blockDim.x + threadIdx.x;
    if (i < n) value = std::fma(x[i], y[i], value);
  }
  parts[threadIdx.x] = value;
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * distance) == 0) parts[threadIdx.x] += parts[threadIdx.x + distance];
  }
  if (threadIdx.x == 0) atomicAdd(sum, parts[0]);
}

template <ArrivalUnit kUnit>
struct FusedBlocks {
  static constexpr KernelInfo kInfo{
      .name = "fused_blocks", .formats = kWide, .shapes = kFourItems, .unit = kUnit, .products = true};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    T* const sum = device.template zeros<T>(1);
    device.launch(kInfo.name, fused_blocks<T>, thread_blocks(in.shape, in.x.size()), in.shape.threads, 0,
                  device.input(in.x), device.input(in.y), in.x.size(), in.shape.items, sum);
    return {.sum = device.read(sum, 1)[0], .shape = in.shape};
  }
};

// Three warps in a thread block.
struct ThreeWarps : Neighbours {
  static constexpr KernelInfo kInfo{.name = "three_warps", .formats = kWide, .shapes = kThreeWarps};
};

template <class Kernel>
CrossChecks seen_of(std::vector<std::size_t> sizes) {
  const Executor executor = host_executor<Kernel>();
  return crosscheck({&executor, 1}, {.sizes = std::move(sizes), .formats = {Format::fp32}, .seeds = 5});
}

TEST_CASE("the order of a kernel without a claim is seen and named") {
  const CrossChecks checks = seen_of<Neighbours>({1, 2, 63, 64, 65, 300});
  CHECK(checks.mismatches() == 0);
  CHECK(!checks.partial);
  CHECK(summary(checks.rows[0]) ==
        "neighbours, fp32: 60 cases, no claim\n"
        "  64 threads, items=2, grid=full: named: seq(2) | halving(32) | seq(from=zero)\n"
        "  256 threads, items=2, grid=full: named: seq(2) | halving(32) | seq(from=zero)\n");
}

TEST_CASE("what is seen does not depend on threads") {
  const Executor executor = host_executor<Neighbours>();
  CrossCheckOptions options{.sizes = {50}, .formats = {Format::fp32, Format::fp64}, .seeds = 2, .threads = 1};
  const CrossChecks one = crosscheck({&executor, 1}, options);
  options.threads = 4;
  const CrossChecks four = crosscheck({&executor, 1}, options);
  REQUIRE(one.rows.size() == 2);
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    CHECK(summary(one.rows[i]) == summary(four.rows[i]));
    CHECK(one.rows[i].seen[0].calls == four.rows[i].seen[0].calls);
  }
}

TEST_CASE("float atomics that a kernel does not describe make it random, with an order in launch order") {
  const CrossChecks checks = seen_of<Warps<false>>({300});
  const std::string text = summary(checks.rows[0]);
  INFO(text);
  CHECK(checks.mismatches() == 0);
  CHECK(checks.rows[0].seen[0].verdict == ProbeVerdict::random);
  CHECK(text.find("in launch order: halving(32) | seq(from=zero)") != std::string::npos);
}

TEST_CASE("float atomics have no fixed order, whatever the bits of some sums are") {
  const std::vector<std::size_t> sizes{200, 512, 1000, 2048, 4096, 8192};
  const auto check = [&](const CrossChecks& checks) {
    INFO(summary(checks.rows[0]));
    CHECK(checks.mismatches() == 0);
    REQUIRE(checks.rows[0].seen.size() == sizes.size());
    for (const SeenOrder& seen : checks.rows[0].seen) {
      CAPTURE(seen.n);
      if (seen.n <= 256) continue;  // one thread block
      CHECK(seen.verdict == ProbeVerdict::random);
      for (const std::string& order : seen.orders) CHECK(parse_order(order).random());
    }
  };
  check(seen_of<FusedBlocks<ArrivalUnit::none>>(sizes));
  check(seen_of<FusedBlocks<ArrivalUnit::thread_block>>(sizes));
}

TEST_CASE("thread blocks of 96 threads") {
  const CrossChecks checks = seen_of<ThreeWarps>({300, 2000});
  INFO(summary(checks.rows[0]));
  CHECK(checks.mismatches() == 0);
  for (const SeenOrder& seen : checks.rows[0].seen) CHECK(seen.verdict == ProbeVerdict::named);
}

TEST_CASE("a kernel without a claim can still fail") {
  const CrossChecks checks = seen_of<Warps<true>>({300});
  const CrossCheckRow& row = checks.rows[0];
  INFO(summary(row));
  CHECK(checks.mismatches() > 0);
  REQUIRE(row.kinds.size() == 1);
  CHECK(row.kinds[0].kind == MismatchKind::fault);
  CHECK(row.seen.empty());
  CHECK(summary(row).find("failed") != std::string::npos);
}

TEST_CASE("a run that is stopped sees no orders") {
  const Executor executor = host_executor<Neighbours>();
  std::stop_source source;
  source.request_stop();
  const CrossChecks checks =
      crosscheck({&executor, 1}, {.sizes = {300}, .formats = {Format::fp32}, .seeds = 1, .stop = source.get_token()});
  CHECK(checks.partial);
  CHECK(checks.rows[0].seen.empty());
}

}  // namespace
}  // namespace orderlab
