// Kernels whose claims need more than an order: formats, maps of terms, finishing functions.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include "orderlab/cuda_on_host.hpp"
// The kernels come after what makes them C++.
#include "orderlab/host_kernel.hpp"

namespace orderlab {
namespace {

constexpr LaunchShape kOneBlock[] = {{64, 1, 1}, {32, 1, 1}};
constexpr Formats kNarrowInWide[] = {{Format::fp16, Format::fp32, Format::fp32},
                                     {Format::fp16, Format::fp32, Format::fp16},
                                     {Format::bf16, Format::fp32, Format::bf16},
                                     {Format::fp32, Format::fp64, Format::fp32}};

// Threads of one thread block add what `Of` makes of the terms; the first adds up their sums.
template <class Of, class Sum, class Result, class T>
__global__ void sum_of(const T* x, const T* y, std::size_t n, Sum* sums, Result* result) {
  Sum sum{};
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum = Of::add(sum, x[i], y == nullptr ? T{} : y[i]);
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  Sum all{};
  for (std::size_t t = 0; t < blockDim.x && t < n; ++t) all += sums[t];
  *result = static_cast<Result>(Of::last(all, n));
}

template <class Of, class T, class Sum, class Result, class Device>
RunResult<Result, Sum> run_sum_of(Device& device, const RunInput<T>& in) {
  Sum* const sums = device.template zeros<Sum>(in.shape.threads);
  Result* const result = device.template zeros<Result>(1);
  const T* const y = in.y.empty() ? nullptr : device.input(in.y);
  device.launch("sum_of", sum_of<Of, Sum, Result, T>, 1, in.shape.threads, 0, device.input(in.x), y, in.x.size(), sums,
                result);
  return {.sum = device.result(result), .shape = in.shape};
}

std::string in_one_block(const LaunchShape& shape, std::size_t n) {
  return "tile(" + tile_arguments(shape, n) + ") | seq(from=zero)";
}

struct Plainly {
  template <class Sum, class T>
  static Sum add(Sum sum, T x, T) {
    return sum + static_cast<Sum>(x);
  }
  template <class Sum>
  static Sum last(Sum sum, std::size_t) {
    return sum;
  }
};

struct Mixed {
  static constexpr KernelInfo kInfo{
      .name = "mixed", .formats = kWide, .shapes = kOneBlock, .mixed_formats = kNarrowInWide, .claim = in_one_block};
  template <class T, class Sum, class Result, class Device>
  static RunResult<Result, Sum> run(Device& device, const RunInput<T>& in) {
    return run_sum_of<Plainly, T, Sum, Result>(device, in);
  }
};

// Adds in the format of the terms, which its claim denies.
struct MixedWrongly : Mixed {
  static constexpr KernelInfo kInfo{.name = "mixed_wrongly",
                                    .formats = {},
                                    .shapes = kOneBlock,
                                    .mixed_formats = kNarrowInWide,
                                    .claim = in_one_block};
  template <class T, class Sum, class Result, class Device>
  static RunResult<Result, Sum> run(Device& device, const RunInput<T>& in) {
    const RunResult<T> narrow = run_sum_of<Plainly, T, T, T>(device, in);
    return {.sum = static_cast<Result>(narrow.sum), .shape = narrow.shape};
  }
};

template <bool kMapped>
struct SquareNorm {
  static constexpr Format kFormats[] = {Format::fp32, Format::fp64, Format::fp16};
  static constexpr KernelInfo kInfo{
      .name = "norm", .formats = kFormats, .shapes = kOneBlock, .uncontracted = true, .claim = in_one_block};
  template <class T>
  static T map(T x) requires kMapped {
    return x * x;
  }
  template <class T>
  static T finish(T sum, std::size_t) {
    return static_cast<T>(std::sqrt(static_cast<double>(sum)));
  }
  struct Of {
    template <class T>
    static T add(T sum, T x, T) {
      return sum + x * x;
    }
    template <class T>
    static T last(T sum, std::size_t n) {
      return finish(sum, n);
    }
  };
  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return run_sum_of<Of, T, T, T>(device, in);
  }
};

// x*x fused into the sum: the map is a pair of factors.
struct FusedSquares {
  static constexpr KernelInfo kInfo{.name = "fused_squares",
                                    .formats = kWide,
                                    .shapes = kOneBlock,
                                    .claim = [](const LaunchShape& shape, std::size_t n) {
                                      return "tile(" + tile_arguments(shape, n) + ",acc=fma) | seq(from=zero)";
                                    }};
  template <class T>
  static std::pair<T, T> map(T x) {
    return {x, x};
  }
  struct Of : Plainly {
    template <class T>
    static T add(T sum, T x, T) {
      return std::fma(x, x, sum);
    }
  };
  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return run_sum_of<Of, T, T, T>(device, in);
  }
};

// The mean of |x - y|: a map of two inputs, and a finishing function.
struct MeanDistance {
  static constexpr KernelInfo kInfo{.name = "mean_distance",
                                    .formats = kWide,
                                    .shapes = kOneBlock,
                                    .products = true,
                                    .uncontracted = true,
                                    .claim = in_one_block};
  template <class T>
  static T map(T x, T y) {
    return std::fabs(x - y);
  }
  template <class T>
  static T finish(T sum, std::size_t n) {
    return sum / static_cast<T>(n);
  }
  struct Of {
    template <class T>
    static T add(T sum, T x, T y) {
      return sum + map(x, y);
    }
    template <class T>
    static T last(T sum, std::size_t n) {
      return finish(sum, n);
    }
  };
  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    return run_sum_of<Of, T, T, T>(device, in);
  }
};

template <class Kernel>
CrossChecks checked() {
  const Executor executor = host_executor<Kernel>();
  return crosscheck(
      {&executor, 1},
      {.sizes = {1, 2, 31, 300}, .formats = {Format::fp32, Format::fp64, Format::fp16, Format::bf16}, .seeds = 5});
}

TEST_CASE("terms, sums and result may have formats of their own") {
  const CrossChecks checks = checked<Mixed>();
  REQUIRE(checks.rows.size() == 6);
  for (const CrossCheckRow& row : checks.rows) {
    INFO(differences(row));
    CHECK(row.mismatches == 0);
    CHECK(row.cases == 40);
  }
  CHECK(to_string(checks.rows[1].formats) == "fp32:fp64:fp32");
}

TEST_CASE("a kernel that adds in a narrower format than it claims is found") {
  for (const CrossCheckRow& row : checked<MixedWrongly>().rows) CHECK(row.mismatches > 0);
}

TEST_CASE("a map says what is added of each term, a finishing function what becomes of the sum") {
  for (const CrossCheckRow& row : checked<SquareNorm<true>>().rows) {
    INFO(differences(row));
    CHECK(row.mismatches == 0);
  }
  const CrossChecks unmapped = checked<SquareNorm<false>>();  // its claim adds the terms themselves
  CHECK(unmapped.mismatches() > 0);
  CHECK(unmapped.warnings.empty());
}

TEST_CASE("a map may leave a product to be fused") {
  const CrossChecks checks = checked<FusedSquares>();
  CHECK(checks.mismatches() == 0);
  CHECK(checks.warnings.empty());
}

TEST_CASE("a map may take two inputs") {
  for (const CrossCheckRow& row : checked<MeanDistance>().rows) {
    INFO(differences(row));
    CHECK(row.mismatches == 0);
  }
}

// Sums in place, pair by pair, as many kernels do.
struct InPlace {
  static constexpr LaunchShape kShapes[] = {{1024}};
  static constexpr KernelInfo kInfo{
      .name = "in_place",
      .formats = kWide,
      .shapes = kShapes,
      .claim = [](const LaunchShape&, std::size_t) -> std::string { return "adjacent(1024)"; }};
  template <class T>
  static __global__ void kernel(T* x, std::size_t n) {
    for (std::size_t step = 1; step < n; step *= 2) {
      const std::size_t i = 2 * step * threadIdx.x;
      if (i + step < n) x[i] += x[i + step];
      __syncthreads();
    }
  }
  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    T* const x = device.copy(in.x);
    device.launch("in_place", kernel<T>, 1, in.shape.threads, 0, x, in.x.size());
    return {.sum = device.result(x), .shape = in.shape};
  }
};

TEST_CASE("a kernel may change its terms in place") {
  for (const CrossCheckRow& row : checked<InPlace>().rows) {
    INFO(differences(row));
    CHECK(row.mismatches == 0);
  }
}

// The sum of two terms is often a negative subnormal number, which an atomic flushes to -0.
template <bool kIdleUnits>
struct Flushed {
  static constexpr Format kSingle[] = {Format::fp32};
  static constexpr LaunchShape kShapes[] = {{32}};
  static constexpr KernelInfo kInfo{.name = "flushed",
                                    .formats = kSingle,
                                    .shapes = kShapes,
                                    .unit = ArrivalUnit::thread,
                                    .claim = [](const LaunchShape&, std::size_t) -> std::string { return "ao"; }};
  static float map(float x) { return (x < 0 ? -1.5F : 1.25F) * 0x1p-126F; }
  template <class T>
  static __global__ void kernel(const T* x, std::size_t n, T* sum) {
    if (kIdleUnits || threadIdx.x < n) atomicAdd(sum, threadIdx.x < n ? map(x[threadIdx.x]) : 0.0F);
  }
  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    T* const sum = device.template zeros<T>(1);
    device.launch("flushed", kernel<T>, 1, 32, 0, device.input(in.x), in.x.size(), sum);
    return {.sum = device.result(sum), .shape = in.shape};
  }
};

TEST_CASE("a +0 that comes after a sum was flushed to -0 makes it +0") {
  for (const Executor& executor : {host_executor<Flushed<true>>(), host_executor<Flushed<false>>()}) {
    const CrossChecks checks = crosscheck({&executor, 1}, {.sizes = {2, 3}, .formats = {Format::fp32}, .seeds = 20});
    INFO(differences(checks.rows[0]));
    CHECK(checks.mismatches() == 0);
  }
}

}  // namespace
}  // namespace orderlab
