#include "fit/bootstrap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

using namespace orderlab;

TEST_CASE("bootstrap weights are as many draws as there are things") {
  std::vector<double> sum(7, 0);
  for (std::uint64_t b = 0; b < 1000; ++b) {
    const std::vector<double> weights = bootstrap_weights(7, 1, b);
    CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == 7);
    for (std::size_t i = 0; i < 7; ++i) sum[i] += weights[i];
  }
  for (const double s : sum) CHECK(std::fabs(s - 1000) <= 5 * std::sqrt(1000 * 6.0 / 7));  // 5 sd of 7000 draws at 1/7
}

TEST_CASE("the middle 95 % leave out 2.5 % at either end") {
  std::vector<double> values(1000);
  std::iota(values.rbegin(), values.rend(), 1.0);
  const Interval middle = middle_95(values);
  CHECK(middle.low == 25);
  CHECK(middle.high == 975);
  const Interval one = middle_95({7});
  CHECK(one.low == 7);
  CHECK(one.high == 7);
}

TEST_CASE("intervals from few things are wider") {
  // 2.776 is Student's 97.5 % quantile with 4 degrees of freedom, to its four digits.
  CHECK(std::fabs(student_quantile(5, 0.025) - 2.776) <= 0.001);
  CHECK(student_quantile(1000, 0.025) < 1.97);
  CHECK(repeating_blocks_factor(5, 1) == std::sqrt(5 / 4.0));
  CHECK(repeating_blocks_factor(49, 4) == std::sqrt(49 / 45.0));
}
