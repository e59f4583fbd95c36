#include <algorithm>
#include <cmath>

#include "arrival/arguments.hpp"
#include "arrival/random_numbers.hpp"

using namespace orderlab;
using namespace orderlab::test;

TEST_CASE("drift(0,0) is launch order") {
  for (const std::size_t m : {1u, 2u, 33u, 1000u}) CHECK(draw(model("drift"), drift(0, 0), m) == launch_order(m));
}

TEST_CASE("drift adds a normal number whose variance goes from the first to the last thread block's") {
  constexpr std::size_t m = 257;  // i / 256 is exact, and with it every variance below
  const RandomStream stream(8, streams::kFirstStage, 4);
  std::vector<double> position(m);
  for (std::size_t i = 0; i < m; ++i) {
    const double variance = 9 + (1600.0 - 9) * static_cast<double>(i) / 256;
    position[i] = static_cast<double>(i) + std::sqrt(variance) * normal(stream.block(i));
  }
  ArrivalOrder expected = launch_order(m);
  std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return position[a] < position[b]; });
  CHECK(draw(model("drift"), drift(3, 40), m, 8, 4) == expected);
}

TEST_CASE("drift between equal deviations is jitter") {
  CHECK(draw(model("drift"), drift(8, 8), 257, 2, 3) == draw(model("jitter"), jitter(8), 257, 2, 3));
}
