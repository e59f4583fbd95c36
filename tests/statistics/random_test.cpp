// The order `random` against all permutations.
#include <doctest/doctest.h>

#include "statistics/uniformity.hpp"

using namespace orderlab;

TEST_CASE("random draws each of the 720 permutations of six terms equally often") {
  const std::vector<double> terms{0.1, -1e15, 3e-17, 1e15, 7.7, -0x1.8p-52};
  testing::check_uniform("random", terms, 720, testing::permutation_of);
}
