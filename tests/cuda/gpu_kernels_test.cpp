// Kernels behind their interface without CUDA: what a build says of itself, and small sums where there is a GPU.
#include "cuda/gpu_kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <vector>

#include "crosscheck/known_kernels.hpp"
#include "cuda/library_list.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::cuda;

namespace {

/// 0 but for every 53rd, 1, 1, -1 again and again: of 10000 terms at most 189 are not 0, so that every partial sum of
/// every order is an integer up to 2^8 and exact in every format.
std::vector<std::byte> small_integers(Format format, std::size_t n, std::int64_t& sum) {
  const auto bytes = static_cast<std::size_t>(info(format).bits) / 8;
  std::vector<std::byte> terms(n * bytes);
  sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t value = i % 53 != 0 ? 0 : i / 53 % 3 == 2 ? -1 : 1;
    const std::uint64_t bits = round_to_bits(format, static_cast<double>(value));
    std::memcpy(&terms[i * bytes], &bits, bytes);
    sum += value;
  }
  return terms;
}

void add_small_integers(const KernelInfo& kernel, Format format, const LaunchShape& shape, std::size_t n) {
  std::int64_t sum = 0;
  const std::vector<std::byte> x = small_integers(format, n, sum);
  std::vector<std::byte> y(x.size());
  const auto bytes = static_cast<std::size_t>(info(format).bits) / 8;
  const std::uint64_t one = round_to_bits(format, 1);
  for (std::size_t i = 0; i < n; ++i) std::memcpy(&y[i * bytes], &one, bytes);
  const GpuRun run =
      run_on_gpu({kernel.name, {format, n, x.data(), kernel.products ? y.data() : nullptr}, shape, true});
  CAPTURE(kernel.name);
  CAPTURE(info(format).name);
  CAPTURE(shape.threads);
  CAPTURE(n);
  CHECK(value_of_bits(format, run.bits) == static_cast<double>(sum));
  CHECK(run.unit == kernel.unit);
  CHECK(run.returned.size() == run.tickets.size());
  CHECK((run.returned.empty() == (kernel.unit == ArrivalUnit::none)));
}

}  // namespace

TEST_CASE("the libraries' kernels describe themselves without CUDA") {
  std::set<std::string_view> names;
  for (const KernelInfo* kernel : known_kernels()) {
    if (kernel->runs != Runs::gpu_only) continue;
    CAPTURE(kernel->name);
    CHECK(names.insert(kernel->name).second);
    CHECK(!kernel->summary.empty());
    CHECK(!kernel->source.empty());
    CHECK(!kernel->formats.empty());
    for (const LaunchShape& shape : kernel->shapes) CHECK(!kernel->claim(shape, 1000).empty());
  }
  CHECK(names.size() == 9);
}

TEST_CASE("a claim of cub has the grid that the run found") {
  CHECK(CubDevice::kInfo.claim({256, 1, 5280}, 1) == "cub(5280)");
  CHECK(CubDeviceUnaligned::kInfo.claim({256, 1, 5280}, 1) == "cub(5280,striped)");
  CHECK(Thrust::kInfo.claim({256, 1, 5280}, 1) == "cub(5280)");
  CHECK(ThrustVector::kInfo.claim({256, 1, 5280}, 1) == "thrust(5280)");
  CHECK(CubBlockRaking::kInfo.claim({100, 1, 1}, 1) == "cub_block_raking(100)");
  CHECK(CgReduce::kInfo.claim({256, 1, 1}, 1) == "cg(256)");
}

TEST_CASE("every kernel adds small integers exactly on a GPU, or there is a reason why none can be used") {
  if (const auto problem = gpu_problem()) {
    MESSAGE(*problem);
    CHECK(problem->find('\n') == std::string::npos);
    const float one = 1;
    CHECK_THROWS_AS(run_on_gpu({"spa", view_of(&one, 1), {64, 2}, false}), Error);
    return;
  }
  const std::vector<const KernelInfo*> known = known_kernels();
  const auto on_cpus = std::count_if(known.begin(), known.end(),
                                     [](const KernelInfo* kernel) { return kernel->runs == Runs::instruction; });
  CHECK(gpu_kernels().size() + static_cast<std::size_t>(on_cpus) == known.size());
  for (const KernelInfo* kernel : gpu_kernels()) {
    if (kernel->outputs != nullptr) continue;
    for (const Format format : kernel->formats)
      for (const LaunchShape& shape : kernel->shapes)
        for (const std::size_t n : {1U, 31U, 33U, 257U, 1025U, 10000U}) add_small_integers(*kernel, format, shape, n);
  }
}
