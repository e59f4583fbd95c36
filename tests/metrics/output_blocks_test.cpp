// Quotients of blocks, one by one, against divisions.
#include "metrics/output_blocks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "doubles.hpp"
#include "operation/some_operations.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// A random significand from 1 to 2, often next to one of the two, times 2^exponent.
double some_number(IndexGenerator& draw, int exponent) {
  const std::uint64_t steps = std::uint64_t{1} << 52;
  std::uint64_t step = below(draw, steps);
  if (chance(draw, 4)) step %= 64;
  if (chance(draw, 4)) step = steps - 1 - step % 64;
  return std::ldexp(1 + std::ldexp(static_cast<double>(step), -52), exponent);
}

int some_exponent(IndexGenerator& draw) { return static_cast<int>(below(draw, 701)) - 350; }

/// A block in which sample s differs from the baseline in output s alone.
void check_quotients(std::uint64_t seed) {
  IndexGenerator draw(RandomStream(seed, 81, 0), 0);
  std::array<std::uint32_t, kBlockSamples> outputs;
  std::iota(outputs.begin(), outputs.end(), 0U);
  OutputBlock block{};
  BlockSamples samples{};
  block.outputs = outputs;
  std::array<OutputDifferences, kBlockSamples> sums{};
  samples.count = kBlockSamples;
  for (std::size_t i = 0; i < kBlockSamples; ++i) {
    const int exponent = some_exponent(draw);
    block.base[i] = block.launch[i] = block.high[i] = some_number(draw, exponent);
    block.magnitude[i] = some_number(draw, some_exponent(draw));
    block.ulp[i] = std::ldexp(1.0, exponent - 52);
    samples.results[i].fill(block.base[i]);
    samples.results[i][i] += some_number(draw, exponent - static_cast<int>(below(draw, 52)));
    samples.sums[i] = &sums[i];
  }
  prepare(block);
  compare_block(block, samples);
  for (std::size_t i = 0; i < kBlockSamples; ++i) {
    const double a = block.base[i];
    const double difference = std::fabs(a - samples.results[i][i]);
    REQUIRE(bits(sums[i].vermv_paper) == bits(difference / a));
    REQUIRE(bits(sums[i].vermv_code) == bits(difference / std::fabs(a + kCodeOffset)));
    REQUIRE(bits(sums[i].vermv_robust) == bits(difference / block.magnitude[i]));
    REQUIRE(sums[i].values == 1);
  }
}

}  // namespace

TEST_CASE("quotients of a block are those of divisions, bit for bit") {
  on_each_target([] {
    for (std::uint64_t seed = 0; seed < trials(2000); ++seed) {
      CAPTURE(seed);
      check_quotients(seed);
    }
  });
}
