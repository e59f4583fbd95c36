// The hand-written kernels, their own source on the CPU, against their claims.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/crosscheck.hpp"

namespace orderlab {
namespace {

/// Kernels on tensor cores, or the others.
std::vector<Executor> host_kernels(bool on_tensor_cores) {
  std::vector<Executor> wanted;
  for (const Executor& executor : host_executors())
    if ((executor.kernel->needs.number != 0) == on_tensor_cores) wanted.push_back(executor);
  return wanted;
}

void check_claims(const std::vector<Executor>& kernels, std::vector<Format> formats, std::uint64_t seeds) {
  const CrossChecks checks =
      crosscheck(kernels, {.sizes = {1, 2, 31, 32, 33, 64, 127, 128, 129, 255, 257, 1023, 1025, 2500},
                           .formats = std::move(formats),
                           .seeds = seeds});
  CHECK(checks.rows.size() >= kernels.size());
  for (const CrossCheckRow& row : checks.rows) {
    INFO(row.kernel->name << ", " << info(row.format).name << ": "
                          << (row.first ? row.first->problem + " n=" + std::to_string(row.first->n) : ""));
    CHECK(row.cases > 0);
    CHECK(row.mismatches == 0);
  }
}

TEST_CASE("every kernel adds in the order it claims, in all its formats") {
  check_claims(host_kernels(false), {Format::fp32, Format::fp64, Format::fp16, Format::bf16}, 5);
}

TEST_CASE("every kernel on tensor cores adds in the order it claims") {
  REQUIRE(host_kernels(true).size() == 8);
  // Seconds for each seed; tensor_kernels_test.cpp has more of them, at sizes about the depth of an instruction.
  check_claims(host_kernels(true), {Format::fp16, Format::bf16, Format::tf32, Format::e4m3}, 2);
}

TEST_CASE("kernels with float atomics follow every arrival order drawn, and their returned values tell it") {
  std::vector<Executor> atomic;
  for (const Executor& executor : host_executors())
    if (executor.kernel->unit != ArrivalUnit::none) atomic.push_back(executor);
  REQUIRE(atomic.size() == 6);
  const CrossChecks checks =
      crosscheck(atomic, {.sizes = {500}, .formats = {Format::fp32, Format::fp64}, .seeds = 5, .samples = 20});
  for (const CrossCheckRow& row : checks.rows) {
    CHECK(row.mismatches == 0);
    CHECK(row.cases == 100 * row.kernel->shapes.size());
    CHECK(row.replays == row.cases);
  }
}

TEST_CASE("kernels describe themselves") {
  std::set<std::string_view> names;
  for (const Executor& executor : host_executors()) {
    const KernelInfo& kernel = *executor.kernel;
    CHECK(names.insert(kernel.name).second);
    CHECK(!kernel.summary.empty());
    CHECK(!kernel.source.empty());
    CHECK(!kernel.shapes.empty());
    CHECK((kernel.claim != nullptr));
    CHECK(kernel.has(Format::fp32) == kernel.mixed_formats.empty());
    CHECK(kernel.has(Format::fp64) == kernel.mixed_formats.empty());
    CHECK(executor.device == "host");
  }
}

}  // namespace
}  // namespace orderlab
