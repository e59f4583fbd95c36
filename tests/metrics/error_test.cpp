// Errors of hand-made results in every unit, in lists and in bins.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "metrics/measured.hpp"

using namespace orderlab;
using namespace orderlab::testing;

TEST_CASE("errors are in ulps of the exact sum, relative to it, and in units of u sum|x|") {
  // S = 4, A = 12, fp32: ulp 2^-21, u = 2^-24.
  Measured measured(Format::fp32, {8, -4}, "seq");
  measured.add({4, 4 + 0x1p-21, 4 + 0x1p-21, 4 - 0x1p-22});
  check_number(measured, {"error", "ulp", "min"}, -0.5);
  check_number(measured, {"error", "ulp", "max"}, 1);
  check_number(measured, {"error", "ulp", "mean"}, 1.5 / 4);
  // squares of the deviations -0.375, 0.625, 0.625, -0.875: 1.6875, divided by 3
  check_number(measured, {"error", "ulp", "sd"}, std::sqrt(1.6875 / 3));
  check_number(measured, {"error", "ulp", "max_abs"}, 1);
  check_number(measured, {"error", "ulp", "quantiles", "0.5", "value"}, 0);
  check_number(measured, {"error", "ulp", "quantiles", "0.75", "value"}, 1);
  check_number(measured, {"error", "relative", "max"}, 0x1p-23);
  check_number(measured, {"error", "relative", "min"}, -0x1p-24);
  check_number(measured, {"error", "u_sum_abs", "max"}, 0x1p-21 / (0x1p-24 * 12));
}

TEST_CASE("errors are against the exact sum, not the rounded one") {
  // S = 1 + 2^-25 is no float; the result 1 is 2^-25 below it: a quarter ulp.
  Measured measured(Format::fp32, {1, 0x1p-25}, "seq");
  measured.draw(1);
  check_number(measured, {"error", "ulp", "max"}, -0.25);
  check_number(measured, {"error", "ulp", "max_abs"}, 0.25);
}

TEST_CASE("for an exact sum of 0 an ulp is the smallest subnormal and relative is null") {
  for (const FormatInfo& format : kFormats) {
    CAPTURE(format.name);
    Measured measured(format.format, {1, -1}, "seq");
    measured.add({0, -3 * format.smallest_subnormal()});
    check_number(measured, {"error", "ulp", "min"}, -3);
    check_number(measured, {"error", "ulp", "max"}, 0);
    check_null(measured, {"error", "relative", "max"});
    check_number(measured, {"error", "u_sum_abs", "min"},
                 -3 * format.smallest_subnormal() / (format.unit_roundoff() * 2));
  }
}

TEST_CASE("errors beyond fp64 in ulps of an exact sum of 0 are infinite, without a mean of both signs") {
  Measured measured(Format::fp64, {1e9, -1e9}, "seq");
  measured.add({1, -1, 0});
  check_number(measured, {"error", "ulp", "max"}, std::numeric_limits<double>::infinity());
  check_null(measured, {"error", "ulp", "mean"});
  check_null(measured, {"error", "ulp", "sd"});
  check_number(measured, {"error", "u_sum_abs", "max"}, 1 / (0x1p-53 * 2e9));
}

TEST_CASE("infinite results are left out of the errors, and without finite ones there are none") {
  const double infinity = std::numeric_limits<double>::infinity();
  Measured measured(Format::fp32, {8, -4}, "seq");
  measured.add({infinity, std::numeric_limits<double>::quiet_NaN(), -infinity});
  check_null(measured, {"error", "ulp", "max"});
  measured.add({4 + 0x1p-21});
  check_number(measured, {"error", "ulp", "min"}, 1);
  check_number(measured, {"error", "ulp", "max"}, 1);
  check_null(measured, {"error", "ulp", "sd"});
}

TEST_CASE("no error is measured against a sum that is not finite") {
  Measured measured(Format::fp32, {std::numeric_limits<double>::infinity(), 1}, "seq");
  measured.draw(1);
  check_null(measured, {"error", "ulp", "max"});
  check_null(measured, {"error", "relative", "max"});
  check_null(measured, {"error", "u_sum_abs", "max"});
}

TEST_CASE("bins leave extremes and moments as they are and round quantiles down to an edge") {
  std::vector<double> results;
  for (int i = -40; i < 60; ++i) results.push_back(4 + i * 0x1p-21);
  Measured list(Format::fp32, {8, -4}, "seq");
  Measured bins(Format::fp32, {8, -4}, "seq", 16);
  list.add(results);
  bins.add(results);
  REQUIRE(bins.counts().binned());
  REQUIRE(bins.counts().bin_exponent() == 3);  // 100 results, 8 ulps a bin: -5 .. 7; 4 ulps would make 25
  for (const char* unit : {"ulp", "relative", "u_sum_abs"}) {
    CAPTURE(std::string(unit));
    const double ulps = std::string_view(unit) == "ulp" ? 1 : std::string_view(unit) == "relative" ? 0x1p-23 : 8.0 / 12;
    for (const char* name : {"min", "max", "max_abs"})
      check_number(bins, {"error", unit, name}, *list.number({"error", unit, name}));
    // List: a quotient rounded for each result, their exact sum rounded, divided: 3 u max_abs. Bins: two quotients and
    // a sum.
    const double largest = *list.number({"error", unit, "max_abs"});
    CHECK(std::fabs(*bins.number({"error", unit, "mean"}) - *list.number({"error", unit, "mean"})) <=
          6 * 0x1p-53 * largest);
    const double sd = *list.number({"error", unit, "sd"});
    // Each of the two: three roundings for each square, a quotient, a root; below 8 u in all.
    CHECK(std::fabs(*bins.number({"error", unit, "sd"}) - sd) <= 8 * 0x1p-53 * sd);
    for (const char* p : {"0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"}) {
      CAPTURE(std::string(p));
      const double exact = *list.number({"error", unit, "quantiles", p, "value"});
      const double edge = *bins.number({"error", unit, "quantiles", p, "value"});
      CHECK(edge <= exact);
      CHECK(exact < edge + 8 * ulps * (1 + 0x1p-50));  // one bin; the factor covers the roundings of the division
    }
  }
}
