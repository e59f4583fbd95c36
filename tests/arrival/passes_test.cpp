#include <algorithm>

#include "arrival/arguments.hpp"

using namespace orderlab;
using namespace orderlab::test;

TEST_CASE("passes of a grid that takes all units in one pass is jitter of the first, bit for bit") {
  for (const std::size_t m : {1u, 2u, 33u, 1000u})
    for (const std::uint64_t g : {std::uint64_t{m}, std::uint64_t{m} + 1, ~std::uint64_t{0}})
      CHECK(draw(model("passes"), passes(g, 12.5, 3), m, 8, 4) == draw(model("jitter"), jitter(12.5), m, 8, 4));
}

TEST_CASE("every unit of a pass arrives before any of the next one, however large the jitter") {
  constexpr std::size_t m = 1000;
  for (const std::uint64_t g : {1u, 7u, 96u, 999u}) {
    CAPTURE(g);
    const Order order = draw(model("passes"), passes(g, 1e6, 1e6), m);
    for (std::size_t k = 0; k < m; ++k) CHECK(order[k] / g == k / g);
    CHECK((order == launch_order(m)) == (g == 1));
  }
}

TEST_CASE("the first pass has a jitter of its own") {
  constexpr std::size_t m = 300;
  constexpr std::uint64_t g = 100;
  const Order first = draw(model("passes"), passes(g, 20, 0), m);
  CHECK(!std::is_sorted(first.begin(), first.begin() + g));
  CHECK(std::is_sorted(first.begin() + g, first.end()));
  const Order later = draw(model("passes"), passes(g, 0, 20), m);
  CHECK(std::is_sorted(later.begin(), later.begin() + g));
  CHECK(!std::is_sorted(later.begin() + g, later.begin() + 2 * g));
  CHECK(!std::is_sorted(later.begin() + 2 * g, later.end()));
}
