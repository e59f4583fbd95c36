// Power laws: known answers, what is left out, and how often the interval holds the truth.
#include "page/power_law.hpp"

#include <doctest/doctest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "orderlab/philox.hpp"

using namespace orderlab;

namespace {

// Logarithms below 40 are off by 2^-48 at most, and what is computed from a handful of them, divided by a spread of
// logarithms above 1, by no more than a hundred times that.
constexpr double kLogErrors = 100 * 0x1p-48;

void check_close(double computed, double exact) {
  CAPTURE(computed);
  CAPTURE(exact);
  CHECK(std::fabs(computed - exact) <= kLogErrors);
}

double uniform(std::uint64_t trial, std::uint64_t draw) {  // in (0, 1)
  IndexGenerator words(RandomStream(20, streams::kTerms, trial), draw);
  return (static_cast<double>(words() >> 12) + 0.5) * 0x1p-52;
}

double normal(std::uint64_t trial, std::uint64_t draw) {
  return std::sqrt(-2 * std::log(uniform(trial, 2 * draw))) *
         std::cos(2 * std::numbers::pi * uniform(trial, 2 * draw + 1));
}

}  // namespace

TEST_CASE("a power law is found again") {
  for (const double exponent : {-2.0, 0.0, 0.5, 1.0}) {
    std::vector<XY> points;
    for (const double x : {10.0, 1e3, 1e4, 1e6}) points.push_back({x, 3e-17 * std::pow(x, exponent)});
    const auto law = fit_power_law(points);
    REQUIRE(law);
    check_close(law->exponent, exponent);
    check_close(law->low, exponent);
    check_close(law->high, exponent);
    check_close(std::log(law->at(1e5)), std::log(3e-17 * std::pow(1e5, exponent)));
    CHECK(law->points == 4);
    CHECK(law->least_x == 10);
    CHECK(law->greatest_x == 1e6);
  }
}

TEST_CASE("the interval is that of Student's t") {
  // Logarithms (0, 1, 2) L and (0, 1, 0): slope 0; residuals -1/3, 2/3, -1/3; s^2 = 2/3 with one degree of freedom; the
  // slope's standard error sqrt(2/3 / (2 L^2)). Quantile 0.975 of Student's t with one degree of freedom, from a table.
  constexpr double kStudent = 12.706204736174705;
  const double step = std::log(10.0);
  const auto law = fit_power_law(std::vector<XY>{{1, 1}, {10, std::numbers::e}, {100, 1}});
  REQUIRE(law);
  check_close(law->exponent, 0);
  check_close(law->high, kStudent * std::sqrt(2.0 / 3 / 2) / step);
  check_close(law->low, -law->high);
}

TEST_CASE("points without a logarithm are left out, and two places are no law") {
  std::vector<XY> points{{10, 1}, {100, 2}, {100, 3}, {1000, 0}, {1000, -1}, {1000, INFINITY}, {0, 1}};
  CHECK(!fit_power_law(points));
  points.push_back({1000, 4});
  REQUIRE(fit_power_law(points));
  CHECK(fit_power_law(points)->points == 4);
  CHECK(!fit_power_law({}));
}

TEST_CASE("intervals hold the exponent as often as they say") {
  constexpr std::uint64_t kTrials = 4000;
  std::uint64_t held = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    std::vector<XY> points;
    for (std::uint64_t i = 0; i < 8; ++i) {
      const double x = std::pow(10.0, static_cast<double>(i / 2));
      points.push_back({x, std::exp(0.5 * std::log(x) + 0.3 * normal(trial, i))});
    }
    const auto law = fit_power_law(points);
    REQUIRE(law);
    held += law->low <= 0.5 && 0.5 <= law->high ? 1U : 0U;
  }
  // Residuals are normal and independent, so it is binomial; a right program fails with probability 1e-6.
  const boost::math::binomial binomial(static_cast<double>(kTrials), kPageConfidence);
  CHECK(static_cast<double>(held) >= boost::math::quantile(binomial, 5e-7));
  CHECK(static_cast<double>(held) <= boost::math::quantile(boost::math::complement(binomial, 5e-7)));
}
