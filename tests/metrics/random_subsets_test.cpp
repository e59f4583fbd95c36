// Random subsets: their sizes, and the moments of their sums.
#include "metrics/random_subsets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace orderlab;

namespace {

constexpr std::uint64_t kDraws = 20'000;

double mean_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double squares_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double value : x) sum += (value - mean) * (value - mean);
  return sum;
}

// Whole numbers, so that sums are exact; some far larger than the others.
std::vector<double> numbers(std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(static_cast<double>(i * i % 101 + (i % 50 == 0 ? 1000 : 0)));
  return x;
}

// Mean and variance of the sums within 5 standard errors; those of a variance are below sqrt(3 / draws) of it, as the
// sums are next to normal.
void check_moments(const std::vector<double>& sums, double mean, double variance) {
  const auto draws = static_cast<double>(sums.size());
  CHECK(std::fabs(mean_of(sums) - mean) <= 5 * std::sqrt(variance / draws));
  CHECK(std::fabs(squares_of(sums) / draws - variance) <= 5 * std::sqrt(3 / draws) * variance);
}

}  // namespace

TEST_CASE("a subset of a given size has that size, and sums with the mean and variance of drawing without return") {
  for (const std::size_t n : {3U, 127U, 128U, 129U, 1000U}) {
    const std::vector<double> ones(n, 1.0);
    const std::vector<double> x = numbers(n);
    const auto all = static_cast<double>(n);
    for (const std::size_t k : {std::size_t{1}, n / 100, n / 20, n / 7, n / 3, n / 2}) {
      CAPTURE(n);
      CAPTURE(k);
      for (const double size : random_subset_sums(ones, k, 1, 500)) REQUIRE(size == static_cast<double>(k));
      if (k < 5) continue;  // their sums are not next to normal
      const auto in = static_cast<double>(k);
      check_moments(random_subset_sums(x, k, 1, kDraws), in * mean_of(x),
                    in * (all - in) / (all * (all - 1)) * squares_of(x));
    }
  }
}

TEST_CASE("a subset of any size has every number with probability 1/2, independently") {
  for (const std::size_t n : {1U, 8U, 64U, 128U, 200U}) {
    CAPTURE(n);
    std::vector<double> powers;  // sums of them name the subset
    for (std::size_t i = 0; i < std::min<std::size_t>(n, 8); ++i)
      powers.push_back(std::ldexp(1.0, static_cast<int>(i)));
    std::vector<double> x(n - powers.size(), 0);
    x.insert(x.end(), powers.begin(), powers.end());
    std::vector<double> seen(std::size_t{1} << powers.size());
    for (const double sum : random_subset_sums(x, 7, kDraws)) ++seen[static_cast<std::size_t>(sum)];
    const double expected = static_cast<double>(kDraws) / static_cast<double>(seen.size());
    for (const double count : seen) CHECK(std::fabs(count - expected) <= 5 * std::sqrt(expected));
  }
}

TEST_CASE("a draw depends on the seed and its own number alone") {
  const std::vector<double> x = numbers(300);
  const std::vector<double> many = random_subset_sums(x, 100, 3, 50);
  const std::vector<double> few = random_subset_sums(x, 100, 3, 20);
  CHECK(std::vector<double>(many.begin(), many.begin() + 20) == few);
  CHECK(random_subset_sums(x, 100, 4, 20) != few);
}
