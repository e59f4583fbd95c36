#include <cmath>

#include "arrival/arguments.hpp"
#include "vectors/permutation.hpp"

using namespace orderlab;
using namespace orderlab::test;

TEST_CASE("uniform shuffles the launch order as shuffle_values does") {
  for (const std::size_t m : {1u, 2u, 31u, 32u, 33u, 1000u}) {
    test::ArrivalOrder expected = launch_order(m);
    shuffle_values(std::span<std::uint32_t>(expected), RandomStream(4, streams::kFirstStage, 2));
    CHECK(draw(model("uniform"), {}, m, 4, 2) == expected);
  }
}

TEST_CASE("models that say they are uniform shuffle as shuffle_values does") {
  // `arrive` shuffles the partial sums themselves for them.
  int uniform = 0;
  for (const ArrivalModel* each : arrival_models()) {
    if (!each->uniform) continue;
    ++uniform;
    REQUIRE(each->parameters.empty());
    test::ArrivalOrder expected = launch_order(300);
    shuffle_values(std::span<std::uint32_t>(expected), RandomStream(9, streams::kFirstStage, 1));
    CHECK(draw(*each, {}, 300, 9, 1) == expected);
  }
  CHECK(uniform > 0);
}

TEST_CASE("uniform gives each of 24 orders equally often") {
  constexpr int draws = 24000;
  std::vector<int> counts(256);
  for (std::uint64_t sample = 0; sample < draws; ++sample) {
    const test::ArrivalOrder order = draw(model("uniform"), {}, 4, 1, sample);
    ++counts[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]];
  }
  double chi_square = 0;
  int orders = 0;
  for (const int count : counts)
    if (count > 0) {
      ++orders;
      chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
    }
  CHECK(orders == 24);
  // 23 degrees of freedom: P(chi-square > k + 2 sqrt(k x) + 2 x) <= exp(-x), Laurent and Massart 2000; x = 14 gives
  // 1e-6.
  CHECK(chi_square < 23 + 2 * std::sqrt(23.0 * 14) + 2 * 14);
}
