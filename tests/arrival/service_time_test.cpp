#include "arrival/service_time.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <vector>

#include "arrival/distribution_distance.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

std::vector<double> sample_times(double cv, std::size_t count) {
  const ServiceTime service(cv);
  const RandomStream stream(1, streams::kFirstStage, 0);
  std::vector<double> times(count);
  for (std::size_t i = 0; i < count; ++i) times[i] = service(stream, i);
  return times;
}

}  // namespace

TEST_CASE("gamma times have mean 1 and the given coefficient of variation") {
  constexpr std::size_t count = 200000;
  constexpr double n = count;
  for (const double cv : {1e-4, 1e-3, 0.05, 0.2, 0.5, 1.0, 1.5, 3.0}) {
    CAPTURE(cv);
    double sum = 0;
    double squares = 0;  // of the distances from the true mean, so an unbiased variance
    for (const double time : sample_times(cv, count)) {
      REQUIRE(time >= 0);
      sum += time - 1;
      squares += (time - 1) * (time - 1);
    }
    const double variance = cv * cv;
    // Six standard errors; shape a = 1 / cv^2 has the fourth central moment (3 + 6 / a) cv^4.
    CHECK(std::abs(sum / n) < 6 * cv / std::sqrt(n));
    CHECK(std::abs(squares / n - variance) < 6 * variance * std::sqrt((2 + 6 * variance) / n));
  }
}

TEST_CASE("gamma times of shapes 1/2, 1, 2 and 3 have the distributions known in closed form") {
  constexpr std::size_t count = 100000;
  const auto distance = [](double shape, auto cdf) {
    return distribution_distance(sample_times(std::sqrt(1 / shape), count), cdf);
  };
  CHECK(distance(0.5, [](double x) { return std::erf(std::sqrt(x / 2)); }) < distance_limit(count));
  CHECK(distance(1, [](double x) { return -std::expm1(-x); }) < distance_limit(count));
  CHECK(distance(2, [](double x) { return 1 - std::exp(-2 * x) * (1 + 2 * x); }) < distance_limit(count));
  CHECK(distance(3, [](double x) { return 1 - std::exp(-3 * x) * (1 + 3 * x + 4.5 * x * x); }) < distance_limit(count));
}

TEST_CASE("gamma times of shape 25 have the distribution of an Erlang sum") {
  constexpr std::size_t count = 100000;
  const auto erlang = [](double x) {  // 1 - exp(-y) (1 + y + ... + y^24 / 24!), y = 25 x
    double term = std::exp(-25 * x);
    double tail = 0;
    for (int k = 0; k < 25; ++k) {
      tail += term;
      term *= 25 * x / (k + 1);
    }
    return 1 - tail;
  };
  CHECK(distribution_distance(sample_times(0.2, count), erlang) < distance_limit(count));
}

TEST_CASE("without variation every service time is 1") {
  for (const double time : sample_times(0, 100))
    CHECK(std::bit_cast<std::uint64_t>(time) == std::bit_cast<std::uint64_t>(1.0));
}

TEST_CASE("the first service times of seed 1 are what bits_version 5 says") {
  const auto check = [](double cv, std::vector<double> expected) {
    const std::vector<double> times = sample_times(cv, expected.size());
    for (std::size_t i = 0; i < times.size(); ++i)
      CHECK(std::bit_cast<std::uint64_t>(times[i]) == std::bit_cast<std::uint64_t>(expected[i]));
  };
  check(0.2, {0x1.abea1b5e68d61p-1, 0x1.0f5748b4bbd32p+0, 0x1.1aa690088e037p+0});
  check(1, {0x1.9f732cf9b8f17p-3, 0x1.0183a057c487fp+0, 0x1.3f684d73c1c37p+0});
  check(2, {0x1.746c0a13f92b8p-2, 0x1.84bfff5882cf5p-11, 0x1.ad220e96cf88cp+0});
}
