// The first sum that a V100 computed, from its published recipe; tests/recordings has all of them.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "order/pipelines.hpp"

using namespace orderlab;
using namespace orderlab::testing;

TEST_CASE("tile, halving and a compensated last stage give the bits of the V100") {
  // The recipe is the standard library's generator and libstdc++'s distribution; the figure is line 0 of
  // v100_golden_sums.txt [Shanmugavelu2024].
  std::mt19937 generator(0x1237698);
  std::uniform_real_distribution<double> uniform(-5, 5);
  std::vector<double> x(1'000'000);
  for (double& term : x) term = uniform(generator);
  CHECK(sum_bits_of("tile(64,2) | halving(64) | seq(acc=neumaier)", view_of(x.data(), x.size()), {}) ==
        0x4088AADC4D7D66F9);
  CHECK(sum_bits_of("tprc_neumaier", view_of(x.data(), x.size()), {}) == 0x4088AADC4D7D66F9);
}
