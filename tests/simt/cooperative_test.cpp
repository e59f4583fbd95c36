// Cooperative launches: barriers of the whole grid.
#include <doctest/doctest.h>

#include "orderlab/cooperative_groups_on_host.hpp"
#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace cg = cooperative_groups;

namespace {

enum class Wrong { nothing, no_barrier, one_ends, one_waits_elsewhere };

/// Sums of thread blocks, then the sum of those; twice, so that what was read is overwritten behind another barrier.
template <Wrong kWrong>
__global__ void sum_of_grid(double* out, double* partials, const double* x) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  __shared__ double s[64];
  for (int round = 0; round < 2; ++round) {
    s[block.thread_rank()] = x[grid.thread_rank()];
    block.sync();
    if (block.thread_rank() == 0) {
      double sum = 0;
      for (unsigned i = 0; i < block.size(); ++i) sum += s[i];
      partials[grid.block_rank()] = sum;
    }
    if (kWrong == Wrong::one_ends && grid.thread_rank() == 70) return;
    if (kWrong == Wrong::one_waits_elsewhere && grid.thread_rank() == 70) __syncthreads();
    if (kWrong != Wrong::no_barrier) cg::sync(grid);
    double sum = 0;
    for (unsigned b = 0; b < grid.num_blocks(); ++b) sum += partials[b];
    out[grid.thread_rank()] = sum;
    grid.sync();
  }
}

template <Wrong kWrong>
std::string fault_of_sum(std::uint64_t sample, unsigned blocks, bool cooperative = true) {
  simt::Device device(schedule(sample, 1 + sample % 3));
  std::vector<double> x(blocks * 64);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  const double* const in = device.input(std::span<const double>(x));
  double* const out = device.zeros<double>(blocks * 64);
  double* const partials = device.zeros<double>(blocks);
  const std::string fault = fault_of([&] {
    if (cooperative)
      device.launch_cooperative("sum_of_grid", sum_of_grid<kWrong>, blocks, 64, 0, out, partials, in);
    else
      device.launch("sum_of_grid", sum_of_grid<kWrong>, blocks, 64, 0, out, partials, in);
  });
  const double n = blocks * 64.0;
  if (fault.empty())
    for (const double sum : device.read(out, blocks * 64)) CHECK(bits_of(sum) == bits_of(n * (n - 1) / 2));
  return fault;
}

__global__ void wait_for_the_grid_at_flags(unsigned* out, unsigned* count) {
  __threadfence();
  atomicAdd(count, 1u);
  volatile unsigned* const polled = count;
  while (*polled != gridDim.x) {
  }
  out[blockIdx.x] = blockIdx.x;
}

}  // namespace

TEST_CASE("grid_group::sync orders what all threads of a cooperative launch did") {
  for (std::uint64_t sample = 0; sample < 5; ++sample)
    for (const unsigned blocks : {1u, 2u, 7u, 33u}) CHECK(fault_of_sum<Wrong::nothing>(sample, blocks) == "");
}

TEST_CASE("a barrier of the grid that is missing, or that not all threads reach, is a fault") {
  for (std::uint64_t sample = 0; sample < 5; ++sample) {
    CHECK(fault_of_sum<Wrong::no_barrier>(sample, 4) != "");
    CHECK(contains(fault_of_sum<Wrong::one_ends>(sample, 4),
                   "waits for ever for the whole grid, of which 1 thread has ended"));
    CHECK(contains(fault_of_sum<Wrong::one_waits_elsewhere>(sample, 4), "waits for ever for the whole grid"));
  }
  CHECK(contains(fault_of_sum<Wrong::nothing>(0, 4, false), "launch the kernel by launch_cooperative"));
  CHECK(contains(fault_of_sum<Wrong::nothing>(0, 4, false), "(at cooperative_test.cpp:"));
}

TEST_CASE("all thread blocks of a cooperative launch run at once, whatever the schedule says") {
  simt::Device device(schedule(0, 1));
  unsigned* const out = device.zeros<unsigned>(20);
  device.launch_cooperative("wait", wait_for_the_grid_at_flags, 20, 1, 0, out, device.zeros<unsigned>(1));
  CHECK(device.read(out, 20)[19] == 19);
  CHECK(contains(
      fault_of([&] { device.launch("wait", wait_for_the_grid_at_flags, 20, 1, 0, out, device.zeros<unsigned>(1)); }),
      "waits at a volatile read for what no thread does; at most"));
  CHECK_THROWS_WITH_AS(device.launch_cooperative("wait", wait_for_the_grid_at_flags, 100, 1024, 0, out, out),
                       doctest::Contains("at most 65536 can run at once"), Error);
}
