#include "arrival/random_numbers.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <vector>

#include "arrival/distribution_distance.hpp"

using namespace orderlab;
using namespace orderlab::test;

TEST_CASE("uniform numbers never reach 0 or 1") {
  constexpr std::uint32_t most = ~std::uint32_t{0};
  CHECK(open_uniform(0, 0) > 0);
  CHECK(open_uniform(most, most) < 1);
  CHECK(open_uniform(0) > 0);
  CHECK(open_uniform(most) < 1);
}

TEST_CASE("normal numbers are finite for every block") {
  for (const std::uint32_t low : {0u, 1u, 0x7FFFFFFFu, ~0u})
    for (const std::uint32_t high : {0u, 1u, 0x80000000u, ~0u})
      for (const std::uint32_t angle : {0u, 0x3FFFFFFFu, 0x40000000u, 0x80000000u, ~0u})
        CHECK(std::abs(normal({low, high, angle, 0})) < 8.6);
}

TEST_CASE("the first normal number of seed 1 is what bits_version 5 says") {
  const RandomStream stream(1, streams::kFirstStage, 0);
  CHECK(std::bit_cast<std::uint64_t>(normal(stream.block(0))) == std::bit_cast<std::uint64_t>(-0x1.9a9954ebac68dp-1));
  CHECK(std::bit_cast<std::uint64_t>(normal(stream.block(3))) == std::bit_cast<std::uint64_t>(0x1.e1ed6f3f0f986p-2));
}

TEST_CASE("normal numbers have the moments and the distribution of N(0,1)") {
  constexpr std::size_t count = 200000;
  constexpr double n = count;
  const RandomStream stream(1, streams::kFirstStage, 0);
  std::vector<double> sample(count);
  double sums[4] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const double x = sample[i] = normal(stream.block(i));
    sums[0] += x;
    sums[1] += x * x;
    sums[2] += x * x * x;
    sums[3] += x * x * x * x;
  }
  // Six standard errors; the variances of x, x^2, x^3, x^4 are 1, 2, 15, 96.
  CHECK(std::abs(sums[0] / n) < 6 * std::sqrt(1 / n));
  CHECK(std::abs(sums[1] / n - 1) < 6 * std::sqrt(2 / n));
  CHECK(std::abs(sums[2] / n) < 6 * std::sqrt(15 / n));
  CHECK(std::abs(sums[3] / n - 3) < 6 * std::sqrt(96 / n));
  const double distance = distribution_distance(sample, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); });
  CHECK(distance < distance_limit(count));
}
