#include "engine/output_outcomes.hpp"

#include <doctest/doctest.h>

using namespace orderlab;

TEST_CASE("the probability that an output differs is that of its other results") {
  const OutputResults results{{1, 0.25}, {2, 0.5}, {5, 0.25}};
  CHECK(probability_of_other(results, 1) == 0.75);
  CHECK(probability_of_other(results, 2) == 0.5);
  CHECK(probability_of_other(results, 3) == 1);
}
