// Units that this CPU may have, probed as black boxes: what the table says of them is compared with the instruction.
#include <doctest/doctest.h>

#include "orderlab/fused_probe.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using namespace orderlab;

namespace {

constexpr std::size_t kPairs = 16;  // of an instruction; the first one is used

using PairOfHalves = std::array<std::uint16_t, 2 * kPairs>;

PairOfHalves two_factors(double first, double second) {
  PairOfHalves pair{};
  pair[0] = static_cast<std::uint16_t>(round_to_bits(Format::bf16, first));
  pair[1] = static_cast<std::uint16_t>(round_to_bits(Format::bf16, second));
  return pair;
}

// Vectors stay in this function: others may not return them.
__attribute__((target("avx512f,avx512bf16"))) float add_two(float sum, const PairOfHalves& x, const PairOfHalves& y) {
  std::array<float, kPairs> sums{sum};
  __m512bh factors[2];
  std::memcpy(&factors[0], x.data(), sizeof factors[0]);
  std::memcpy(&factors[1], y.data(), sizeof factors[1]);
  _mm512_storeu_ps(sums.data(), _mm512_dpbf16_ps(_mm512_loadu_ps(sums.data()), factors[0], factors[1]));
  return sums[0];
}

double sum_of_pairs(const TermView& products) {
  float sum = 0;
  for (std::size_t i = 0; i + 1 < products.n; i += 2)
    sum = add_two(sum, two_factors(products.left(i), products.left(i + 1)),
                  two_factors(products.right(i), products.right(i + 1)));
  return static_cast<double>(sum);
}

}  // namespace

TEST_CASE("VDPBF16PS of this CPU is revealed as avx512_bf16") {
  if (!__builtin_cpu_supports("avx512bf16")) {
    MESSAGE("skipped: this CPU has no AVX512_BF16");
    return;
  }
  constexpr Formats kOfHalves{Format::bf16, Format::fp32, Format::fp32};
  const auto found = probe_fused(function_box("vdpbf16ps", sum_of_pairs, true), 64, kOfHalves);
  REQUIRE(found.has_value());
  CHECK(found->units == std::vector<std::string>{"fused(avx512_bf16)"});
  CHECK(found->reading.step == FusedStep::swapped_pairs);
}
#endif
