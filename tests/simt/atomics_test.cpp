// Atomic operations against direct computations, the order in which they are done, and flushing.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

__global__ void do_each(unsigned* u, int* i, unsigned long long* w, unsigned* old) {
  old[0] = atomicAdd(&u[0], 5u);
  old[1] = atomicSub(&u[1], 5u);
  old[2] = atomicInc(&u[2], 7u);
  old[3] = atomicInc(&u[3], 7u);
  old[4] = atomicDec(&u[4], 7u);
  old[5] = atomicDec(&u[5], 7u);
  old[6] = atomicExch(&u[6], 9u);
  old[7] = atomicCAS(&u[7], 100u, 9u);
  old[8] = atomicCAS(&u[8], 101u, 9u);
  old[9] = atomicMin(&u[9], 3u);
  old[10] = atomicMax(&u[10], 300u);
  old[11] = atomicAnd(&u[11], 0x3Cu);
  old[12] = atomicOr(&u[12], 0x3Cu);
  old[13] = atomicXor(&u[13], 0x3Cu);
  atomicMin(&i[0], -3);
  atomicMax(&i[1], -3);
  atomicAdd(&i[2], -3);
  atomicAdd(&w[0], 1ull << 40);
  atomicMax(&w[0], 7ull);
}

/// Counts that are beyond the limit already.
__global__ void exchange_one(float* f) { atomicExch(f, 2.0f); }

__global__ void count_from_beyond(unsigned* u) {
  atomicAdd(&u[0], 100u);
  atomicAdd(&u[1], 100u);
  atomicInc(&u[0], 7u);
  atomicDec(&u[1], 7u);
}

template <class T>
__global__ void add_terms(T* out, const T* x, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}

/// The sum of x[0], x[1], ... in the order in which the atomics were done, starting from +0.0.
template <class T>
T replayed(const std::vector<T>& x, const std::vector<simt::AtomicArrival>& arrivals, unsigned threads) {
  T sum = round_to<T>(0.0);
  for (const auto& arrival : arrivals) sum = sum + x[arrival.block * threads + arrival.thread];
  return sum;
}

template <class T>
std::vector<T> terms(std::size_t n) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::ldexp(1.0 + static_cast<double>(i * 2654435761u % 1009) / 1009, static_cast<int>(i % 9));
    x.push_back(round_to<T>(i % 3 == 0 ? -size : size));
  }
  return x;
}

template <class T>
struct Run {
  T sum;
  std::vector<simt::AtomicArrival> arrivals;
};

template <class T>
Run<T> run(const simt::Schedule& how, const std::vector<T>& x, unsigned threads) {
  simt::Device device(how);
  T* out = device.zeros<T>(1);
  const auto n = static_cast<unsigned>(x.size());
  device.launch("add_terms", add_terms<T>, (n + threads - 1) / threads, threads, 0, out,
                device.input(std::span<const T>(x)), n);
  return {device.read(out, 1)[0], device.atomic_arrivals()};
}

template <class T>
void check_sum() {
  const std::vector<T> x = terms<T>(300);
  for (const std::size_t resident : {1ul, 3ul}) {
    const Run<T> got = run(schedule(1, resident), x, 64);
    CHECK(got.arrivals.size() == x.size());
    CHECK(bits_of(got.sum) == bits_of(replayed(x, got.arrivals, 64)));
  }
}

bool is_permutation_of(std::size_t n, const std::vector<simt::AtomicArrival>& arrivals, unsigned threads) {
  std::set<std::size_t> seen;
  for (const auto& arrival : arrivals) seen.insert(arrival.block * threads + arrival.thread);
  return arrivals.size() == n && seen.size() == n && *seen.rbegin() == n - 1;
}

__global__ void add_subnormals(float* global, double* wide, Half* half) {
  __shared__ float shared;
  shared = 0;
  const float x = 0x1p-130f;
  atomicAdd(&shared, x);
  atomicAdd(&shared, x);
  atomicAdd(&global[0], x);  // the operand is flushed
  atomicAdd(&global[1], 0x1.8p-126f);
  atomicAdd(&global[1], -0x1p-126f);  // the result is
  atomicAdd(&global[2], -x);          // -0.0 + +0.0
  global[3] = shared;
  atomicAdd(wide, 0x1p-1060);
  atomicAdd(half, Half(0x1p-24));
}

__global__ void take_tickets(unsigned* out, unsigned* ticket) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(ticket, 1u);
}

/// One number from each thread block, added by its last warp to end.
__global__ void add_block_numbers(double* out) {
  __shared__ double s[128];
  const unsigned t = threadIdx.x;
  s[t] = 1;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0] * (blockIdx.x + 1));
}

std::vector<std::uint32_t> block_order(const simt::Schedule& how) {
  simt::Device device(how);
  double* out = device.zeros<double>(1);
  device.launch("add_block_numbers", add_block_numbers, 50, 64, 0, out);
  std::vector<std::uint32_t> order;
  for (const auto& arrival : device.atomic_arrivals()) order.push_back(arrival.block);
  CHECK(bits_of(device.read(out, 1)[0]) == bits_of(64.0 * 50 * 51 / 2));
  return order;
}

}  // namespace

TEST_CASE("each atomic operation leaves and returns what the CUDA guide says") {
  simt::Device device;
  const std::vector<unsigned> before(14, 100);
  unsigned* u = device.zeros<unsigned>(14);
  int* i = device.zeros<int>(3);
  auto* w = device.zeros<unsigned long long>(1);
  unsigned* old = device.zeros<unsigned>(14);
  device.launch("do_each", do_each, 1, 1, 0, u, i, w, old);  // from 0
  CHECK(device.read(u, 14) == std::vector<unsigned>{5, 0u - 5, 1, 1, 7, 7, 9, 0, 0, 0, 300, 0, 0x3C, 0x3C});
  device.launch("do_each", do_each, 1, 1, 0, u, i, w, old);
  CHECK(device.read(old, 14) == std::vector<unsigned>{5, 0u - 5, 1, 1, 7, 7, 9, 0, 0, 0, 300, 0, 0x3C, 0x3C});
  CHECK(device.read(u, 14) == std::vector<unsigned>{10, 0u - 10, 2, 2, 6, 6, 9, 0, 0, 0, 300, 0, 0x3C, 0});
  CHECK(device.read(i, 3) == std::vector<int>{-3, 0, -6});
  CHECK(device.read(w, 1)[0] == 1ull << 41);
  device.launch("exchange", exchange_one, 1, 1, 0, device.zeros<float>(1));
  CHECK(device.atomic_arrivals().empty());  // additions to floats only
}

TEST_CASE("a count wraps behind its limit, downwards too") {
  simt::Device device;
  unsigned* u = device.zeros<unsigned>(14);
  int* i = device.zeros<int>(3);
  auto* w = device.zeros<unsigned long long>(1);
  unsigned* old = device.zeros<unsigned>(14);
  for (int round = 0; round < 8; ++round) device.launch("do_each", do_each, 1, 1, 0, u, i, w, old);
  CHECK(device.read(u + 2, 1)[0] == 0);  // 1 .. 7, 0
  CHECK(device.read(u + 4, 1)[0] == 0);  // 7 .. 0
  device.launch("do_each", do_each, 1, 1, 0, u, i, w, old);
  CHECK(device.read(u + 2, 1)[0] == 1);
  CHECK(device.read(u + 4, 1)[0] == 7);
  unsigned* beyond = device.zeros<unsigned>(2);
  device.launch("count_from_beyond", count_from_beyond, 1, 1, 0, beyond);
  CHECK(device.read(beyond, 2) == std::vector<unsigned>{0, 7});
}

TEST_CASE("float atomics add in the recorded order, every addition rounded to the format") {
  check_sum<double>();
  check_sum<float>();
  check_sum<Half>();
  check_sum<Bfloat16>();
}

TEST_CASE("atomics arrive in a permutation that varies with the sample and the seed") {
  const std::vector<float> x = terms<float>(256);
  for (const std::size_t resident : {1ul, 2ul, 8ul}) {
    std::set<std::vector<std::size_t>> orders;
    for (std::uint64_t sample = 0; sample < 20; ++sample) {
      const auto arrivals = run(schedule(sample, resident), x, 32).arrivals;
      CHECK(is_permutation_of(x.size(), arrivals, 32));
      std::vector<std::size_t> order;
      for (const auto& arrival : arrivals) order.push_back(arrival.block * 32 + arrival.thread);
      orders.insert(order);
    }
    CHECK(orders.size() == 20);  // two equal ones of 256! have no chance
  }
  simt::Schedule other = schedule(0);
  ++other.seed;
  CHECK(run(schedule(0), x, 32).arrivals != run(other, x, 32).arrivals);
}

TEST_CASE("the warps of one thread block and the lanes of one warp take turns at atomics") {
  const std::vector<double> x = terms<double>(64);
  bool second_warp_first = false;
  bool warps_mixed = false;
  std::set<std::uint32_t> first;
  for (std::uint64_t sample = 0; sample < 40; ++sample) {
    const auto arrivals = run(schedule(sample), x, 64).arrivals;
    first.insert(arrivals[0].thread);
    second_warp_first = second_warp_first || arrivals[0].thread >= 32;
    int changes = 0;
    for (std::size_t k = 1; k < arrivals.size(); ++k) changes += arrivals[k].thread / 32 != arrivals[k - 1].thread / 32;
    warps_mixed = warps_mixed || changes > 1;
  }
  CHECK(second_warp_first);
  CHECK(warps_mixed);
  CHECK(first.size() > 10);  // of 64, in 40 draws
}

TEST_CASE("integer tickets vary too, and each is given once") {
  std::set<std::vector<unsigned>> all;
  for (std::uint64_t sample = 0; sample < 10; ++sample) {
    simt::Device device(schedule(sample, 2));
    unsigned* out = device.zeros<unsigned>(96);
    device.launch("take_tickets", take_tickets, 3, 32, 0, out, device.zeros<unsigned>(1));
    std::vector<unsigned> tickets = device.read(out, 96);
    all.insert(tickets);
    std::sort(tickets.begin(), tickets.end());
    for (unsigned i = 0; i < 96; ++i) CHECK(tickets[i] == i);
  }
  CHECK(all.size() == 10);
}

TEST_CASE("every draw is the same on every OS thread") {
  const std::vector<float> x = terms<float>(500);
  const Run<float> here = run(schedule(7, 3), x, 96);
  for (int i = 0; i < 3; ++i) {
    Run<float> there{};
    std::thread([&] { there = run(schedule(7, 3), x, 96); }).join();
    CHECK(there.arrivals == here.arrivals);
    CHECK(bits_of(there.sum) == bits_of(here.sum));
  }
}

TEST_CASE("thread blocks start in the order that the arrival model draws") {
  std::vector<std::uint32_t> launch_order(50);
  for (std::uint32_t b = 0; b < 50; ++b) launch_order[b] = b;
  CHECK(block_order(schedule(3, 1, "launch")) == launch_order);
  const auto drawn = block_order(schedule(3));
  CHECK(drawn != launch_order);
  CHECK(drawn == block_order(schedule(3)));
  CHECK(drawn != block_order(schedule(4)));
  CHECK(std::is_permutation(drawn.begin(), drawn.end(), launch_order.begin()));
  CHECK(block_order(schedule(3, 4, "launch")) != launch_order);  // four at once overtake one another
  std::size_t farthest = 0;
  const auto jittered = block_order(schedule(3, 1, "jitter(2)"));
  for (std::uint32_t k = 0; k < 50; ++k) farthest = max(farthest, jittered[k] > k ? jittered[k] - k : k - jittered[k]);
  CHECK(farthest > 0);
  CHECK(farthest < 20);
}

TEST_CASE("later launches of a device draw anew") {
  simt::Device device(schedule(5));
  double* out = device.zeros<double>(1);
  std::set<std::vector<std::uint32_t>> orders;
  for (std::size_t l = 0; l < 5; ++l) {
    device.launch("add_block_numbers", add_block_numbers, 50, 64, 0, out);
    std::vector<std::uint32_t> order;
    for (std::size_t k = 50 * l; k < 50 * (l + 1); ++k) order.push_back(device.atomic_arrivals()[k].block);
    orders.insert(order);
  }
  CHECK(orders.size() == 5);
}

TEST_CASE("fp32 atomics flush subnormals in device memory, not in shared memory; other formats never") {
  simt::Device device;
  float* global = device.zeros<float>(4);
  double* wide = device.zeros<double>(1);
  Half* narrow = device.zeros<Half>(1);
  device.launch("add_subnormals", add_subnormals, 1, 1, 0, global, wide, narrow);
  const std::vector<float> got = device.read(global, 4);
  CHECK(bits_of(got[0]) == bits_of(0.0f));
  CHECK(bits_of(got[1]) == bits_of(0.0f));
  CHECK(bits_of(got[2]) == bits_of(0.0f));
  CHECK(bits_of(got[3]) == bits_of(0x1p-129f));
  CHECK(bits_of(device.read(wide, 1)[0]) == bits_of(0x1p-1060));
  CHECK(device.read(narrow, 1)[0].bits == 1);
}
