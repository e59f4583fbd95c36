// The order `ao`, whose arrivals are uniform by default, against all permutations.
#include <doctest/doctest.h>

#include "statistics/uniformity.hpp"

using namespace orderlab;

TEST_CASE("ao draws each of the 720 arrival orders of six terms equally often") {
  const std::vector<double> terms{0.1, -1e15, 3e-17, 1e15, 7.7, -0x1.8p-52};
  testing::check_uniform("ao", terms, 720, testing::permutation_of);
}
