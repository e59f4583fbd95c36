#include "fit/minimize.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace orderlab;

TEST_CASE("a simplex finds the bottom of a bowl to its tolerance, in one and in three dimensions") {
  for (const std::size_t dimensions : {1u, 3u}) {
    const auto bowl = [](std::span<const double> x) -> std::optional<double> {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += (1 + static_cast<double>(i)) * std::pow(x[i] - 0.3, 2);
      return sum;
    };
    const auto found = minimize(bowl, std::vector<double>(dimensions, -1), {.evaluations = 1000});
    REQUIRE(found);
    // All corners lie within the tolerance of the best one, and the bowl's level sets are round to a factor of 3.
    for (const double x : found->point) CHECK(std::fabs(x - 0.3) <= 4 * MinimizeLimits{}.tolerance);
    CHECK(found->value == *bowl(found->point));
  }
}

TEST_CASE("a simplex keeps to its evaluations and ends when the function is stopped") {
  std::size_t calls = 0;
  const auto counted = [&](std::span<const double> x) -> std::optional<double> {
    ++calls;
    return -x[0];  // no least value
  };
  CHECK(minimize(counted, {0}, {.evaluations = 30}).has_value());
  CHECK(calls >= 30);
  CHECK(calls <= 32);  // a step may take two
  const auto stopped = [&](std::span<const double> x) -> std::optional<double> {
    if (--calls == 0) return std::nullopt;
    return x[0];
  };
  CHECK(!minimize(stopped, {0}, {}));
}
