// What a thread block may read of others: the kernels whose last thread block adds the partial sums.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

/// What is left out of a right kernel.
enum class Without { nothing, fence, atomic, barrier };

/// Threads 0 store a partial sum each; the last thread block adds them.
template <Without kWithout>
__global__ void last_block_adds(double* out, double* partials, unsigned* ticket) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    partials[blockIdx.x] = blockIdx.x + 1;
    if (kWithout != Without::fence) __threadfence();
    if (kWithout != Without::atomic)
      last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    else
      last = blockIdx.x == 0;
  }
  if (kWithout != Without::barrier) __syncthreads();
  if (last && t < gridDim.x) out[t] = partials[t];
}

template <Without kWithout>
std::string last_block_fault(std::uint64_t sample, std::size_t resident, const char* arrival = "uniform") {
  constexpr unsigned kGrid = 12;
  simt::Device device(schedule(sample, resident, arrival));
  double* out = device.zeros<double>(kGrid);
  double* partials = device.zeros<double>(kGrid);
  unsigned* ticket = device.zeros<unsigned>(1);
  const std::string fault = fault_of(
      [&] { device.launch("last_block_adds", last_block_adds<kWithout>, kGrid, 64, 0, out, partials, ticket); });
  if (fault.empty() && kWithout == Without::nothing) {
    const std::vector<double> got = device.read(out, kGrid);
    for (unsigned b = 0; b < kGrid; ++b) CHECK(bits_of(got[b]) == bits_of(b + 1.0));
    CHECK(device.read(ticket, 1)[0] == 0);
  }
  return fault;
}

/// Every thread stores; all fence, thread 0 takes the ticket behind a barrier (as PyTorch's reductions do), or thread 0
/// fences for all of them behind the barrier.
template <bool kAllFence, bool kBarrier>
__global__ void all_store(double* out, double* partials, unsigned* ticket) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  partials[blockIdx.x * blockDim.x + t] = t;
  if (kAllFence) __threadfence();
  if (kBarrier) __syncthreads();
  if (t == 0) {
    if (!kAllFence) __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  for (unsigned b = 0; b < gridDim.x; ++b) out[t] += partials[b * blockDim.x + (t + 1) % blockDim.x];
  if (t == 0) *ticket = 0;
}

template <bool kAllFence, bool kBarrier>
std::string all_store_fault(std::uint64_t sample) {
  simt::Device device(schedule(sample, 2));
  double* out = device.zeros<double>(64);
  return fault_of([&] {
    device.launch("all_store", all_store<kAllFence, kBarrier>, 5, 64, 0, out, device.zeros<double>(5 * 64),
                  device.zeros<unsigned>(1));
  });
}

/// Lane 1 stores and reads, lane 0 announces: the warp synchronises in front of it and behind it.
template <bool kWriterFences, bool kBefore, bool kBehind>
__global__ void lane_announces(double* out, double* partials, unsigned* ticket) {
  const unsigned t = threadIdx.x;
  if (t == 1) {
    partials[blockIdx.x] = 1;
    if (kWriterFences) __threadfence();
  }
  if (kBefore) __syncwarp();
  unsigned number = 0;
  if (t == 0) {
    if (!kWriterFences) __threadfence();
    number = atomicAdd(ticket, 1u);
  }
  number = __shfl_sync(0xFFFFFFFF, number, 0);  // orders no memory
  if (kBehind) __syncwarp();
  if (number == gridDim.x - 1 && t == 1)
    for (unsigned b = 0; b < gridDim.x; ++b) *out += partials[b];
}

template <bool kWriterFences, bool kBefore, bool kBehind>
std::string lane_announces_fault(std::uint64_t sample) {
  simt::Device device(schedule(sample, 2));
  double* out = device.zeros<double>(1);
  const std::string fault = fault_of([&] {
    device.launch("lane_announces", lane_announces<kWriterFences, kBefore, kBehind>, 4, 32, 0, out,
                  device.zeros<double>(4), device.zeros<unsigned>(1));
  });
  if (fault.empty()) CHECK(bits_of(device.read(out, 1)[0]) == bits_of(4.0));
  return fault;
}

/// The fence stands in front of the store that it should follow.
__global__ void fence_too_early(double* out, double* partials, unsigned* ticket) {
  partials[gridDim.x + blockIdx.x] = 1;
  __threadfence();
  partials[blockIdx.x] = 1;
  if (atomicAdd(ticket, 1u) == gridDim.x - 1) *out = partials[0];
}

__global__ void add_then_read(float* out, float* sum, unsigned* ticket, bool fence) {
  atomicAdd(sum, 1.0f);
  if (fence) __threadfence();
  if (atomicAdd(ticket, 1u) == gridDim.x - 1) *out = *sum;
}

__global__ void all_write_one(float* out) { *out = 1; }
__global__ void all_write_their_number(float* out) { *out = static_cast<float>(threadIdx.x); }
__global__ void write_own(float* out) { out[blockIdx.x] = 1; }
__global__ void one_reads_one_writes(float* out) {
  if (blockIdx.x == 0) out[1] = out[0];
  if (blockIdx.x == 1) out[0] = 1;
}
__global__ void two_read_the_second_writes(float* out) {
  const float v = out[0];
  out[1 + blockIdx.x] = v;  // a value that is not used need not be read
  if (blockIdx.x == 1) out[0] = v + 1;
}
__global__ void block_fence_is_not_enough(float* out, unsigned* ticket) {
  if (blockIdx.x == 0) out[0] = 1;
  __threadfence_block();
  if (atomicAdd(ticket, 1u) == 1 && blockIdx.x == 1) out[1] = out[0];
}

/// The threads of all resident thread blocks wait for each other with atomics on two cells.
__global__ void grid_barrier(double* out, double* values, unsigned* count, unsigned* open) {
  values[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(count, 1u) == gridDim.x - 1)
    atomicExch(open, 1u);
  else
    while (atomicAdd(open, 0u) == 0) {
    }
  double sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += values[b];
  out[blockIdx.x] = sum;
}

}  // namespace

TEST_CASE("the last thread block may read what the others stored, fenced and announced") {
  for (const std::size_t resident : {1ul, 3ul, 12ul})
    for (std::uint64_t sample = 0; sample < 10; ++sample)
      CHECK(last_block_fault<Without::nothing>(sample, resident) == "");
}

TEST_CASE("without the fence, the atomic or the barrier behind it the last thread block reads what may not be there") {
  for (const std::size_t resident : {1ul, 3ul})
    for (std::uint64_t sample = 0; sample < 10; ++sample) {
      const std::string fenceless = last_block_fault<Without::fence>(sample, resident);
      CHECK(contains(fenceless, "kernel last_block_adds, thread block "));
      CHECK(contains(fenceless, "reads 8 bytes at byte "));
      CHECK(contains(fenceless, " of device array 1 of 96 bytes that thread 0 of thread block "));
      CHECK(contains(fenceless, "has written, without __threadfence and an atomic behind it"));
      CHECK(last_block_fault<Without::barrier>(sample, resident) != "");
    }
  CHECK(contains(last_block_fault<Without::atomic>(0, 3), "without __threadfence and an atomic"));
  CHECK(last_block_fault<Without::atomic>(0, 1, "launch") != "");
}

TEST_CASE("a fence covers what a barrier or the thread itself ordered before it") {
  for (std::uint64_t sample = 0; sample < 5; ++sample) {
    CHECK(all_store_fault<true, true>(sample) == "");
    CHECK(all_store_fault<false, true>(sample) == "");
    CHECK(contains(all_store_fault<true, false>(sample), "without __threadfence and an atomic"));
    CHECK(contains(all_store_fault<false, false>(sample), "without __threadfence and an atomic"));
  }
}

TEST_CASE("a lane announces what another one stored if the warp synchronises before and behind") {
  for (std::uint64_t sample = 0; sample < 5; ++sample) {
    CHECK(lane_announces_fault<false, true, true>(sample) == "");
    CHECK(lane_announces_fault<true, true, true>(sample) == "");
    CHECK(lane_announces_fault<false, false, true>(sample) != "");
    CHECK(lane_announces_fault<true, false, true>(sample) != "");
    CHECK(lane_announces_fault<false, true, false>(sample) != "");
  }
}

TEST_CASE("a fence does not cover what comes behind it, nor one of a thread block other thread blocks") {
  simt::Device device(schedule(0, 1, "launch"));
  double* out = device.zeros<double>(1);
  double* partials = device.zeros<double>(4);
  unsigned* ticket = device.zeros<unsigned>(1);
  CHECK(contains(fault_of([&] { device.launch("early", fence_too_early, 2, 1, 0, out, partials, ticket); }),
                 "without __threadfence and an atomic"));
  float* floats = device.zeros<float>(2);
  unsigned* second = device.zeros<unsigned>(1);
  CHECK(contains(fault_of([&] { device.launch("block", block_fence_is_not_enough, 2, 1, 0, floats, second); }),
                 "without __threadfence and an atomic"));
}

TEST_CASE("atomics too need a fence in front of the ticket") {
  int faults = 0;
  for (std::uint64_t sample = 0; sample < 20; ++sample)
    for (const bool fence : {false, true}) {
      simt::Device device(schedule(sample, 2));
      float* sum = device.zeros<float>(1);
      float* out = device.zeros<float>(1);
      unsigned* ticket = device.zeros<unsigned>(1);
      const std::string fault =
          fault_of([&] { device.launch("add_then_read", add_then_read, 8, 1, 0, out, sum, ticket, fence); });
      if (fence) {
        CHECK(fault == "");
        CHECK(bits_of(device.read(out, 1)[0]) == bits_of(8.0f));
      } else {
        faults += fault.empty() ? 0 : 1;
      }
    }
  CHECK(faults > 0);  // not in a sample in which the last to take a ticket was the last to add, too
}

TEST_CASE("thread blocks that write one cell, or read what another writes, are in conflict") {
  CHECK(contains(fault_of(all_write_one, 2, 1),
                 "writes 4 bytes at byte 0 of device array 0 of 256 bytes that thread 0 "
                 "of thread block "));
  CHECK(fault_of(all_write_one, 1, 1) == "");
  CHECK(contains(fault_of(all_write_their_number, 1, 2),
                 "writes 4 bytes at byte 0 of device array 0 of 256 bytes that thread 0 "
                 "has written, with no barrier"));
  CHECK(fault_of(write_own, 8, 1) == "");
  CHECK(fault_of(two_read_the_second_writes, 1, 1) == "");
  CHECK(contains(fault_of(two_read_the_second_writes, 2, 1, 64, 0, schedule(0, 1, "launch")),
                 "that thread 0 of thread block 0 has read"));
  CHECK(contains(fault_of(one_reads_one_writes, 2, 1, 64, 0, schedule(0, 1, "launch")), "has read"));
}

TEST_CASE("a new launch sees all that the one before wrote") {
  simt::Device device;
  float* out = device.zeros<float>(64);
  for (int i = 0; i < 3; ++i) device.launch("all_write_one", all_write_one, 1, 1, 0, out);
  CHECK(bits_of(device.read(out, 1)[0]) == bits_of(1.0f));
}

TEST_CASE("resident thread blocks can wait for each other; one that is not there is missed") {
  for (std::uint64_t sample = 0; sample < 5; ++sample) {
    simt::Device device(schedule(sample, 4));
    double* out = device.zeros<double>(4);
    double* values = device.zeros<double>(4);
    device.launch("grid_barrier", grid_barrier, 4, 1, 0, out, values, device.zeros<unsigned>(1),
                  device.zeros<unsigned>(1));
    for (const double sum : device.read(out, 4)) CHECK(bits_of(sum) == bits_of(6.0));
  }
  simt::Device device(schedule(0, 3));
  double* out = device.zeros<double>(4);
  double* values = device.zeros<double>(4);
  CHECK(contains(fault_of([&] {
                   device.launch("grid_barrier", grid_barrier, 4, 1, 0, out, values, device.zeros<unsigned>(1),
                                 device.zeros<unsigned>(1));
                 }),
                 "waits at an atomic for what no thread does"));
}
