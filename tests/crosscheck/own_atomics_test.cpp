// Kernels in which units without terms add, too: correct on a GPU, since they add +0.
#include <doctest/doctest.h>

#include <string>

#include "orderlab/cuda_on_host.hpp"
// The kernels come after what makes them C++.
#include "cuda/atomics.cuh"
#include "cuda/trees.cuh"
#include "orderlab/host_kernel.hpp"

namespace orderlab {
namespace {

constexpr LaunchShape kWide256[] = {{256}, {64}};
constexpr Format kFp32Only[] = {Format::fp32};

// One atomic a unit of `unit_threads` threads, guarded by nothing; the grid is larger than the terms need.
template <class T, bool kRecord>
__global__ void unguarded(const T* x, std::size_t n, unsigned unit_threads, T wrong, T* sum,
                          cuda::Recording<T> recording) {
  const std::size_t i = cuda::grid_thread();
  T value = i < n ? x[i] : T{};
  if (unit_threads == kWarp) value = cuda::warp_tree(value);
  const bool idle = i / unit_threads * unit_threads >= n;
  if (i % unit_threads == 0)
    cuda::add_atomically<kRecord>(sum, idle ? value + wrong : value, i / unit_threads, recording);
}

template <ArrivalUnit kUnit, int kWrong = 0>
struct Unguarded {
  static constexpr KernelInfo kInfo{.name = "unguarded",
                                    .formats = kFp32Only,
                                    .shapes = kWide256,
                                    .unit = kUnit,
                                    .claim = [](const LaunchShape&, std::size_t) -> std::string {
                                      return kUnit == ArrivalUnit::warp ? "warp" : "ao";
                                    }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const unsigned unit = kUnit == ArrivalUnit::warp ? kWarp : 1;
    const unsigned grid = thread_blocks(in.shape, in.x.size()) + 1;
    const T* const x = device.input(in.x);
    return cuda::run_atomic(device, in, grid * in.shape.threads / unit,
                            [&](auto record, T* sum, const cuda::Recording<T>& recording) {
                              device.launch(kInfo.name, unguarded<T, decltype(record)::value>, grid, in.shape.threads,
                                            0, x, in.x.size(), unit, static_cast<T>(kWrong), sum, recording);
                            });
  }
};

template <ArrivalUnit kUnit, int kWrong = 0>
CrossChecks checked(std::uint64_t seeds = 5) {
  const Executor executor = host_executor<Unguarded<kUnit, kWrong>>();
  return crosscheck({&executor, 1}, {.sizes = {1, 2, 33, 300}, .formats = {Format::fp32}, .seeds = seeds});
}

TEST_CASE("warps without terms may add +0, and thread blocks that no term needs") {
  const CrossChecks checks = checked<ArrivalUnit::warp>();
  INFO(differences(checks.rows[0]));
  CHECK(checks.mismatches() == 0);
  CHECK(checks.rows[0].replays == checks.rows[0].cases);
}

TEST_CASE("a unit without terms that adds more than 0 is named, with what it added") {
  const CrossChecks checks = checked<ArrivalUnit::warp, 3>();
  const CrossCheckRow& row = checks.rows[0];
  CHECK(row.mismatches == row.cases);
  REQUIRE(row.kinds.size() == 1);
  CHECK(row.kinds[0].kind == MismatchKind::atomics);
  CHECK(row.first->problem.find(
            "did a float atomic, and the claim has 1 partial sum, those of units 0 to 0, but added 3") !=
        std::string::npos);
}

}  // namespace
}  // namespace orderlab
