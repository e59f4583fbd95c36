// __activemask: drawn sets of lanes that are together. What may rely on them, and what may not.
#include <doctest/doctest.h>

#include <set>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

constexpr std::uint64_t kSamples = 40;

__global__ void ask_who_is_active(unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t % 3 == 0)
    out[t] = __activemask();
  else
    out[t] = __activemask();
}

/// The tree of many public kernels: its mask is whatever happens to be active.
__global__ void tree_over_active_lanes(float* out) {
  float v = static_cast<float>(threadIdx.x);
  for (unsigned offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(__activemask(), v, offset);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

/// The same with the mask that its author meant, taken where all lanes are known to be.
__global__ void tree_over_voted_lanes(float* out) {
  const unsigned mask = __ballot_sync(0xFFFFFFFF, threadIdx.x < 64);
  if (threadIdx.x >= 64) return;
  float v = static_cast<float>(threadIdx.x);
  for (unsigned offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(mask, v, offset);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

/// Whichever lane is the first of those together counts for all of them: right for any such sets.
__device__ unsigned count_together(unsigned* counter) {
  const unsigned mask = __activemask();
  const unsigned lane = threadIdx.x % 32;
  const int leader = __ffs(static_cast<int>(mask)) - 1;
  unsigned first = 0;
  if (lane == static_cast<unsigned>(leader)) first = atomicAdd(counter, static_cast<unsigned>(__popc(mask)));
  first = __shfl_sync(mask, first, leader);
  return first + static_cast<unsigned>(__popc(mask & ((1u << lane) - 1)));
}

__global__ void keep_multiples(unsigned* out, unsigned* counter, unsigned divisor) {
  if (threadIdx.x % divisor == 0) out[count_together(counter)] = threadIdx.x;
}

/// One lane of the warp is meant to add; as many do as there are groups.
__global__ void add_once_per_warp(unsigned* out) {
  if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(__activemask())) - 1)) atomicAdd(out, 1u);
}

}  // namespace

TEST_CASE("an active mask is a drawn part of the lanes at one place, and often all of them") {
  std::set<unsigned> masks;
  unsigned complete = 0;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    simt::Device device(schedule(sample));
    unsigned* out = device.zeros<unsigned>(40);
    device.launch("ask_who_is_active", ask_who_is_active, 1, 40, 0, out);
    const std::vector<unsigned> got = device.read(out, 40);
    for (unsigned t = 0; t < 40; ++t) {
      unsigned place = 0;
      for (unsigned k = t / 32 * 32; k < min(t / 32 * 32 + 32, 40u); ++k)
        if ((k % 3 == 0) == (t % 3 == 0)) place |= 1u << k % 32;
      CHECK((got[t] >> t % 32 & 1) == 1);
      CHECK((got[t] & ~place) == 0);
      for (unsigned k = t / 32 * 32; k < min(t / 32 * 32 + 32, 40u); ++k)
        if ((got[t] >> k % 32 & 1) != 0) CHECK(got[k] == got[t]);
      complete += got[t] == place ? 1u : 0u;
    }
    masks.insert(got[1]);
    CHECK(fault_of(ask_who_is_active, 1, 40, 40, 0, schedule(sample)) == "");
  }
  CHECK(masks.size() > kSamples / 4);
  CHECK(complete > 40 * kSamples / 4);
  CHECK(complete < 40 * kSamples * 3 / 4);
}

TEST_CASE("a tree over __activemask is exposed, with a mask that a vote gave it is right") {
  unsigned faults = 0;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    const std::string fault = fault_of(tree_over_active_lanes, 1, 32, 1, 0, schedule(sample));
    CHECK((fault.empty() || contains(fault, "__activemask gave this mask")));
    faults += fault.empty() ? 0u : 1u;
    CHECK(fault_of(tree_over_voted_lanes, 1, 96, 2, 0, schedule(sample)) == "");
  }
  CHECK(faults > kSamples * 3 / 4);
}

TEST_CASE("lanes that count for those of their active mask are right for every draw") {
  std::set<std::vector<unsigned>> orders;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    simt::Device device(schedule(sample));
    unsigned* const out = device.zeros<unsigned>(64);
    unsigned* const counter = device.zeros<unsigned>(1);
    CHECK(fault_of([&] { device.launch("keep", keep_multiples, 1, 64, 0, out, counter, 3u); }) == "");
    CHECK(device.read(counter, 1)[0] == 22);
    const std::vector<unsigned> got = device.read(out, 22);
    CHECK(std::set<unsigned>(got.begin(), got.end()).size() == 22);
    orders.insert(got);
  }
  CHECK(orders.size() > 4);
}

TEST_CASE("what is meant to be done once per warp is done once per group") {
  std::set<unsigned> sums;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    simt::Device device(schedule(sample));
    unsigned* const out = device.zeros<unsigned>(1);
    device.launch("add_once_per_warp", add_once_per_warp, 1, 32, 0, out);
    sums.insert(device.read(out, 1)[0]);
  }
  CHECK(sums == std::set<unsigned>{1, 2});
}
