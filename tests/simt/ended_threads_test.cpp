// Barriers, votes and shuffles of thread blocks some of whose threads have ended or never were, as CUDA defines them:
// over the others. And what a thread that has ended had told nobody.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

/// The first `limit` threads pass a value around, in shared memory behind a barrier of the warp or the thread block.
template <bool kBlock>
__global__ void pass_around(float* out, unsigned limit) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  if (t >= limit) return;
  s[t] = static_cast<float>(t);
  if (kBlock)
    __syncthreads();
  else
    __syncwarp();
  const unsigned first = kBlock ? 0 : t / 32 * 32;
  const unsigned count = kBlock ? limit : min(limit - first, 32u);
  out[t] = s[first + (t - first + 1) % count];
}

/// The same, where those that end do so while the others wait for them.
__global__ void end_behind_the_others(float* out, unsigned* votes) {
  const unsigned t = threadIdx.x;
  if (t >= 20) {
    atomicAdd(votes + 100, 1u);  // a turn for the others
    atomicAdd(votes + 100, 1u);
    return;
  }
  votes[t] = __ballot_sync(0xFFFFFFFF, t % 2 == 1);
  out[t] = __shfl_sync(0xFFFFFFFF, static_cast<float>(t), 7);
  __syncwarp();
  votes[t] += static_cast<unsigned>(__syncthreads_count(t % 4 == 0)) << 20;
  votes[t] += static_cast<unsigned>(__syncthreads_and(1)) << 30;
}

__global__ void votes_of_all(int* all, unsigned limit, unsigned low) {
  const unsigned t = threadIdx.x;
  if (t >= limit) return;
  all[2 * t] = __all_sync(0xFFFFFFFF, t < limit);
  all[2 * t + 1] = __all_sync(0xFFFFFFFF, t % 32 < low);
}

__global__ void shuffle_from_the_next(float* out, unsigned count) {
  if (threadIdx.x >= count) return;
  out[threadIdx.x] = __shfl_down_sync(0xFFFFFFFF, static_cast<float>(threadIdx.x), 1);
}

/// Thread 1 stores and ends; the others read it behind a barrier, which it reached only if kReaches.
template <bool kReaches>
__global__ void store_and_end(float* out) {
  __shared__ float s;
  if (threadIdx.x == 1) {
    s = 5;
    if (!kReaches) return;
  }
  __syncthreads();
  if (threadIdx.x == 1) return;
  __syncthreads();
  out[threadIdx.x] = s;
}

/// Lane 1 tells lane 0, then ends; lane 0 goes on to the barrier, behind which all know what lane 1 did.
template <bool kTells>
__global__ void tell_and_end(float* out) {
  __shared__ float s;
  if (threadIdx.x == 1) s = 5;
  if (kTells && threadIdx.x < 2) __syncwarp(3);
  if (threadIdx.x == 1) return;
  __syncthreads();
  out[threadIdx.x] = s;
}

template <class Check>
void over_schedules(Check&& check) {
  for (std::uint64_t sample = 0; sample < 20; ++sample) check(schedule(sample, 1 + sample % 3));
}

template <bool kBlock>
void check_pass_around(const simt::Schedule& how, unsigned threads, unsigned limit) {
  simt::Device device(how);
  float* const out = device.zeros<float>(64);
  CHECK(fault_of([&] { device.launch("pass_around", pass_around<kBlock>, 1, threads, 0, out, limit); }) == "");
  const std::vector<float> got = device.read(out, limit);
  for (unsigned t = 0; t < limit; ++t) {
    const unsigned first = kBlock ? 0 : t / 32 * 32;
    const unsigned count = kBlock ? limit : min(limit - first, 32u);
    CHECK(bits_of(got[t]) == bits_of(static_cast<float>(first + (t - first + 1) % count)));
  }
}

}  // namespace

TEST_CASE("all lanes that there are and that have not ended are asked, and no others") {
  over_schedules([](const simt::Schedule& how) {
    for (const unsigned limit : {1u, 20u, 32u, 48u}) {
      simt::Device device(how);
      int* const all = device.zeros<int>(96);
      CHECK(fault_of([&] { device.launch("votes_of_all", votes_of_all, 1, 48, 0, all, limit, 16u); }) == "");
      const std::vector<int> got = device.read(all, 2 * limit);
      for (unsigned t = 0; t < limit; ++t) {
        CHECK(got[2 * t] == 1);
        CHECK(got[2 * t + 1] == (min(limit - t / 32 * 32, 32u) <= 16 ? 1 : 0));
      }
    }
  });
}

TEST_CASE("a full mask and a barrier wait for the threads that there are and that have not ended") {
  over_schedules([](const simt::Schedule& how) {
    for (const unsigned limit : {1u, 20u, 40u, 48u}) {
      check_pass_around<false>(how, 48, limit);
      check_pass_around<true>(how, 64, limit);
    }
  });
}

TEST_CASE("a thread that ends lets go those that waited for it alone") {
  over_schedules([](const simt::Schedule& how) {
    simt::Device device(how);
    float* const out = device.zeros<float>(64);
    unsigned* const votes = device.zeros<unsigned>(128);
    CHECK(fault_of([&] { device.launch("kernel", end_behind_the_others, 1, 32, 0, out, votes); }) == "");
    const std::vector<unsigned> voted = device.read(votes, 20);
    const std::vector<float> passed = device.read(out, 20);
    for (unsigned t = 0; t < 20; ++t) {
      CHECK(voted[t] == (0xAAAAAu | 5u << 20 | 1u << 30));  // of lanes 0 to 19: the odd ones, every fourth, all
      CHECK(bits_of(passed[t]) == bits_of(7.0f));
    }
  });
}

TEST_CASE("a shuffle from a lane that has ended or never was is a fault, whatever the mask names") {
  const auto launch = [](unsigned threads, unsigned count) {
    simt::Device device;
    float* const out = device.zeros<float>(32);
    return fault_of([&] { device.launch("kernel", shuffle_from_the_next, 1, threads, 0, out, count); });
  };
  CHECK(launch(32, 32) == "");
  CHECK(contains(launch(32, 31), "reads a value from lane 31, which has ended"));
  CHECK(contains(launch(31, 31), "reads a value from lane 31, which its warp does not have"));
}

TEST_CASE("a barrier orders nothing of a thread that ended in front of it, unless that told another one") {
  over_schedules([](const simt::Schedule& how) {
    for (const unsigned threads : {32u, 64u}) {
      CHECK(fault_of(store_and_end<true>, 1, threads, 64, 0, how) == "");
      CHECK(contains(fault_of(store_and_end<false>, 1, threads, 64, 0, how), "thread 1 has written, with no barrier"));
      CHECK(fault_of(tell_and_end<true>, 1, threads, 64, 0, how) == "");
      CHECK(contains(fault_of(tell_and_end<false>, 1, threads, 64, 0, how), "thread 1 has written, with no barrier"));
    }
  });
}
