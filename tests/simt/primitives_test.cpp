// Built-in variables, barriers and warp primitives against direct computations.
#include <doctest/doctest.h>

#include "simt/launching.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

__global__ void write_positions(unsigned* out) {
  const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  out[block * threads + in_block] = block * 10000 + in_block + 1;
}

struct Exchanged {
  double index, up, down, exclusive_or;
};

__global__ void exchange(Exchanged* out, int width, int argument) {
  const int l = static_cast<int>(threadIdx.x);
  const double own = 100 + l;
  out[l].index = __shfl_sync(0xFFFFFFFF, own, argument, width);
  out[l].up = __shfl_up_sync(0xFFFFFFFF, own, static_cast<unsigned>(argument), width);
  out[l].down = __shfl_down_sync(0xFFFFFFFF, own, static_cast<unsigned>(argument), width);
  out[l].exclusive_or = __shfl_xor_sync(0xFFFFFFFF, own, argument, width);
}

struct Reduced {
  unsigned sum, least, greatest, all, some, odd;
  int signed_sum, signed_least, signed_greatest;
  unsigned same_parity;
  int all_equal;
  bool operator==(const Reduced&) const = default;
};

__device__ unsigned reduced_value(unsigned lane) { return (lane + 3) * 0x9E3779B9u; }

__global__ void reduce_and_match(Reduced* out, unsigned mask) {
  const unsigned l = threadIdx.x;
  if ((mask >> l & 1) == 0) return;
  const unsigned v = reduced_value(l);
  const int s = 5 - static_cast<int>(l);
  Reduced& own = out[l];
  own.sum = __reduce_add_sync(mask, v);
  own.least = __reduce_min_sync(mask, v);
  own.greatest = __reduce_max_sync(mask, v);
  own.all = __reduce_and_sync(mask, v);
  own.some = __reduce_or_sync(mask, v);
  own.odd = __reduce_xor_sync(mask, v);
  own.signed_sum = __reduce_add_sync(mask, s);
  own.signed_least = __reduce_min_sync(mask, s);
  own.signed_greatest = __reduce_max_sync(mask, s);
  own.same_parity = __match_any_sync(mask, l % 2);
  __match_all_sync(mask, l % 2, &own.all_equal);
}

template <class T>
__global__ void pass_to_the_left(T* out, const T* in) {
  const unsigned l = threadIdx.x;
  out[l] = __shfl_down_sync(0xFFFFFFFF, in[l], 1);
}

template <class T>
void check_type(const std::vector<T>& values) {
  simt::Device device;
  T* out = device.zeros<T>(32);
  device.launch("pass_to_the_left", pass_to_the_left<T>, 1, 32, 0, out, device.input(std::span<const T>(values)));
  const std::vector<T> got = device.read(out, 32);
  for (std::size_t l = 0; l < 32; ++l) CHECK(std::memcmp(&got[l], &values[l < 31 ? l + 1 : l], sizeof(T)) == 0);
}

struct Votes {
  unsigned ballot;
  int any, all, odd_any, odd_all, count, block_all, block_any;
};

__global__ void vote(Votes* out, unsigned limit) {
  const unsigned t = threadIdx.x;
  Votes& v = out[t];
  const bool holds = t < limit;
  v.ballot = __ballot_sync(0xFFFFFFFF, holds);
  v.any = __any_sync(0xFFFFFFFF, holds);
  v.all = __all_sync(0xFFFFFFFF, holds);
  if (t % 2 == 1) {  // half a warp among itself
    v.odd_any = __any_sync(0xAAAAAAAA, t % 32 == 1 && holds);
    v.odd_all = __all_sync(0xAAAAAAAA, holds);
  }
  v.count = __syncthreads_count(holds);
  v.block_all = __syncthreads_and(holds);
  v.block_any = __syncthreads_or(holds);
}

__global__ void halves(double* out, const double* in) {
  double v = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xFFFFFFFF, v, static_cast<unsigned>(offset));
  if (threadIdx.x == 0) *out = v;
}

__global__ void rotate(unsigned* out, unsigned rounds) {
  __shared__ unsigned s[1024];
  const unsigned t = threadIdx.x;
  s[t] = t;
  for (unsigned r = 0; r < rounds; ++r) {
    __syncthreads();
    const unsigned next = s[(t + 1) % blockDim.x];
    __syncthreads();
    s[t] = next;
  }
  out[t] = s[t];
}

__global__ void compute(double* out, float a, float b, double c, double d) {
  out[0] = __fadd_rn(a, b);
  out[1] = __fmul_rn(a, b);
  out[2] = __fmaf_rn(a, b, -a);
  out[3] = __dadd_rn(c, d);
  out[4] = __dmul_rn(c, d);
  out[5] = __fma_rn(c, d, -c);
  out[6] = __popc(0xF0F0u) + 100 * __ffs(0x40) + 10000 * __clz(1);
  out[7] = __uint_as_float(__float_as_uint(a) + 1);
  out[8] = __longlong_as_double(__double_as_longlong(c) + 1);
  out[9] = min(3, 5u) + max(0.5f, 2.0) + warpSize;
}

std::vector<double> numbers(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = std::ldexp(1.0 + 0.37 * static_cast<double>(i), static_cast<int>(i * 7 % 40));
  return values;
}

}  // namespace

TEST_CASE("every thread of a 3-D grid of 3-D thread blocks knows its place") {
  simt::Device device;
  const simt::Dim3 grid(2, 3, 4);
  const simt::Dim3 block(5, 3, 2);
  const std::size_t n = grid.count() * block.count();
  unsigned* out = device.zeros<unsigned>(n);
  device.launch("write_positions", write_positions, grid, block, 0, out);
  const std::vector<unsigned> got = device.read(out, n);
  for (unsigned i = 0; i < n; ++i)
    CHECK(got[i] == i / static_cast<unsigned>(block.count()) * 10000 + i % static_cast<unsigned>(block.count()) + 1);
}

TEST_CASE("shuffles of every width give the value that the PTX manual's formula names, or the own one") {
  for (const int width : {1, 2, 4, 8, 16, 32})
    for (const int argument : {0, 1, 2, 3, 5, 15, 16, 31}) {
      simt::Device device;
      Exchanged* out = device.zeros<Exchanged>(32);
      device.launch("exchange", exchange, 1, 32, 0, out, width, argument);
      const std::vector<Exchanged> got = device.read(out, 32);
      for (int l = 0; l < 32; ++l) {
        const int first = l / width * width;
        const int last = first + width - 1;
        const auto value = [&](int source) { return 100.0 + source; };
        const Exchanged& g = got[static_cast<std::size_t>(l)];
        CHECK(bits_of(g.index) == bits_of(value(first + argument % width)));
        CHECK(bits_of(g.up) == bits_of(value(l - argument < first ? l : l - argument)));
        CHECK(bits_of(g.down) == bits_of(value(l + argument > last ? l : l + argument)));
        CHECK(bits_of(g.exclusive_or) == bits_of(value((l ^ argument) > last ? l : l ^ argument)));
      }
    }
}

TEST_CASE("shuffles move every type of up to 8 bytes") {
  std::vector<float> floats;
  std::vector<Half> halfs;
  std::vector<Bfloat16> bfloats;
  std::vector<unsigned char> bytes;
  std::vector<long long> longs;
  for (int i = 0; i < 32; ++i) {
    floats.push_back(0.1f * static_cast<float>(i));
    halfs.emplace_back(0.1 * i);
    bfloats.emplace_back(-0.3 * i);
    bytes.push_back(static_cast<unsigned char>(8 * i));
    longs.push_back(0x0123456789ABCDEFLL * i);
  }
  check_type(floats);
  check_type(halfs);
  check_type(bfloats);
  check_type(bytes);
  check_type(longs);
}

TEST_CASE("votes of a warp, of half a warp and of a thread block") {
  for (const unsigned limit : {0u, 1u, 2u, 31u, 32u, 40u, 63u, 64u}) {
    simt::Device device(schedule(limit));
    Votes* out = device.zeros<Votes>(64);
    device.launch("vote", vote, 1, 64, 0, out, limit);
    const std::vector<Votes> got = device.read(out, 64);
    for (unsigned t = 0; t < 64; ++t) {
      const unsigned low = t / 32 * 32;
      const unsigned held = limit <= low ? 0 : min(limit - low, 32u);
      CHECK(got[t].ballot == (held == 32 ? 0xFFFFFFFFu : (1u << held) - 1));
      CHECK(got[t].any == (held > 0));
      CHECK(got[t].all == (held == 32));
      CHECK(got[t].odd_any == (t % 2 == 1 && held > 1));
      CHECK(got[t].odd_all == (t % 2 == 1 && held == 32));
      CHECK(got[t].count == static_cast<int>(limit));
      CHECK(got[t].block_all == (limit == 64));
      CHECK(got[t].block_any == (limit > 0));
    }
  }
}

TEST_CASE("matches and reductions of integers over the lanes of a mask") {
  for (const unsigned mask : {0xFFFFFFFFu, 0x0F0F00F1u, 0x80000000u}) {
    simt::Device device;
    Reduced* const out = device.zeros<Reduced>(32);
    device.launch("reduce_and_match", reduce_and_match, 1, 32, 0, out, mask);
    Reduced expected{0, ~0u, 0, ~0u, 0, 0, 0, 100, -100, 0, 0};
    for (unsigned l = 0; l < 32; ++l) {
      if ((mask >> l & 1) == 0) continue;
      const unsigned v = reduced_value(l);
      const int s = 5 - static_cast<int>(l);
      expected = {expected.sum + v,
                  std::min(expected.least, v),
                  std::max(expected.greatest, v),
                  expected.all & v,
                  expected.some | v,
                  expected.odd ^ v,
                  expected.signed_sum + s,
                  std::min(expected.signed_least, s),
                  std::max(expected.signed_greatest, s),
                  0,
                  0};
    }
    for (unsigned l = 0; l < 32; ++l) {
      if ((mask >> l & 1) == 0) continue;
      Reduced own = expected;
      for (unsigned k = 0; k < 32; ++k) own.same_parity |= (k % 2 == l % 2 ? 1u << k : 0u) & mask;
      own.all_equal = own.same_parity == mask ? 1 : 0;
      CAPTURE(l);
      CHECK(device.read(out, 32)[l] == own);
    }
  }
}

TEST_CASE("a warp tree of shuffles adds the far partner first") {
  const std::vector<double> in = numbers(32);
  std::vector<double> v = in;
  for (std::size_t offset = 16; offset > 0; offset /= 2)
    for (std::size_t l = 0; l < offset; ++l) v[l] += v[l + offset];
  simt::Device device;
  double* out = device.zeros<double>(1);
  device.launch("halves", halves, 1, 32, 0, out, device.input(std::span<const double>(in)));
  CHECK(bits_of(device.read(out, 1)[0]) == bits_of(v[0]));
}

TEST_CASE("thread blocks of every size, up to 1024 threads, meet at barriers again and again") {
  for (const unsigned threads : {1u, 2u, 31u, 32u, 33u, 64u, 255u, 1023u, 1024u}) {
    simt::Device device(schedule(threads));
    unsigned* out = device.zeros<unsigned>(threads);
    device.launch("rotate", rotate, 1, threads, 0, out, 5u);
    const std::vector<unsigned> got = device.read(out, threads);
    for (unsigned t = 0; t < threads; ++t) CHECK(got[t] == (t + 5) % threads);
  }
}

TEST_CASE("arithmetic of the language rounds once") {
  const float a = 1 + 0x1p-23f;
  const float b = 1 + 0x3p-22f;
  const double c = 1 + 0x1p-52;
  const double d = 1 + 0x3p-51;
  simt::Device device;
  double* out = device.zeros<double>(10);
  device.launch("compute", compute, 1, 1, 0, out, a, b, c, d);
  const std::vector<double> got = device.read(out, 10);
  const double exact_product = static_cast<double>(a) * static_cast<double>(b);
  CHECK(bits_of(got[0]) == bits_of(static_cast<double>(static_cast<float>(static_cast<double>(a) + b))));
  CHECK(bits_of(got[1]) == bits_of(static_cast<double>(static_cast<float>(exact_product))));
  CHECK(bits_of(got[2]) == bits_of(static_cast<double>(static_cast<float>(exact_product - a))));
  CHECK(bits_of(got[3]) == bits_of(2 + 0x1p-49));      // 2 + 7 * 2^-52 is a tie
  CHECK(bits_of(got[4]) == bits_of(1 + 7 * 0x1p-52));  // and 6 * 2^-104
  CHECK(bits_of(got[5]) == bits_of(6 * 0x1p-52 + 6 * 0x1p-104));
  CHECK(bits_of(got[6]) == bits_of(8 + 700.0 + 310000));
  CHECK(bits_of(got[7]) == bits_of(1 + 0x1p-22));
  CHECK(bits_of(got[8]) == bits_of(1 + 0x1p-51));
  CHECK(bits_of(got[9]) == bits_of(37.0));
}
