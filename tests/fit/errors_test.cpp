#include "fit/errors.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "fit/recordings.hpp"
#include "fit/simulations.hpp"

using namespace orderlab;
using orderlab::test::record;

namespace {

double standard_deviation(const std::vector<double>& deviations) {
  double squares = 0;
  for (const double d : deviations) squares += d * d;
  return std::sqrt(squares / static_cast<double>(deviations.size()));
}

}  // namespace

TEST_CASE("a Gauss-Newton step takes linear features back to their parameters") {
  const std::vector<Features> slopes{{1, 0, 2, 0, 0, 0, 0, 4}, {0, 1, 2, 0, 0, 0, 0, -4}};
  const Features tolerances{1, 1, 2, 1, 1, 1, 1, 4};
  const auto matrix = gauss_newton(slopes, tolerances);
  REQUIRE(matrix);
  // Normal equations {{3, 0}, {0, 3}} in these tolerances: thirds are the only roundings.
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      double product = 0;
      for (std::size_t f = 0; f < kFeatures; ++f) product += (*matrix)[i][f] * slopes[j][f];
      CHECK(std::fabs(product - (i == j ? 1 : 0)) <= 8 * 0x1p-53);
    }
}

TEST_CASE("features that do not tell two parameters apart have no step") {
  const std::vector<Features> slopes{{1, 2, 3, 4, 5, 6, 7, 8}, {2, 4, 6, 8, 10, 12, 14, 16}};
  CHECK(!gauss_newton(slopes, {1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST_CASE("errors come from the rows and from the simulated units, independent of each other") {
  const Rows recording = record("jitter(9)", 100, 12);
  std::vector<const std::vector<std::uint32_t>*> rows;
  for (const auto& row : recording.rows) rows.push_back(&row);
  const RecordedFeatures recorded(rows, {});
  const std::vector<const std::vector<std::uint32_t>*> same(12, rows[0]);
  const RecordedFeatures constant(same, {});
  const std::vector<Features> units = simulate_units(parse_arrival("jitter(9)"), 100, 1, 0, 6, {});
  const std::vector<Features> still(6, units[0]);
  const std::vector<Features> matrix{{1, 0, 0, 0, 0, 0, 0, 0}};  // the parameter is tau to launch
  const auto deviation = [&](const RecordedFeatures& of_rows, const std::vector<Features>& of_units) {
    return standard_deviation(bootstrap_deviations(of_rows, of_units, matrix, 1)[0]);
  };
  const double of_rows = deviation(recorded, still);
  const double of_units = deviation(constant, units);
  const double of_both = deviation(recorded, units);
  CHECK(of_rows > 0);
  const Features mean = mean_of(units);
  double squares = 0;
  for (const Features& unit : units) squares += (unit[0] - mean[0]) * (unit[0] - mean[0]);
  // Means of 6 drawn from 6 have this variance over 6; a deviation from 1000 of them is known to 1 / sqrt(2000).
  const double expected = std::sqrt(squares / 36);
  CHECK(std::fabs(of_units - expected) <= 5 / std::sqrt(2000.0) * expected);
  CHECK(deviation(constant, still) <= 0x1p-50);  // roundings of means of 12 equal numbers below 1
  // The covariance of two independent samples of 1000 is within 5 sd = 5 / sqrt(1000) of their deviations' product.
  const double covariance = std::fabs(of_both * of_both - of_rows * of_rows - of_units * of_units) / 2;
  CHECK(covariance <= 5 / std::sqrt(1000.0) * of_rows * of_units);
}
