// Vs by hand, and its forms for lists and bins against each other.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "metrics/measured.hpp"

using namespace orderlab;
using namespace orderlab::testing;

TEST_CASE("Vs is the relative distance of magnitudes from the baseline: offset its mean, spread its deviation") {
  Measured measured(Format::fp64, {8, -4}, "seq");
  measured.set_baseline(-4);
  measured.add({-3, -5, -5, 3});  // Vs: 0.25, -0.25, -0.25, 0.25
  check_number(measured, {"vs", "offset"}, 0);
  check_number(measured, {"vs", "spread"}, std::sqrt(0.25 / 3));
  check_number(measured, {"vs", "max_abs"}, 0.25);
}

TEST_CASE("results equal to each other but not to the baseline have an offset without spread") {
  Measured measured(Format::fp32, {8, -4}, "seq");
  measured.set_baseline(4);
  measured.add({4 - 0x1p-22, 4 - 0x1p-22, 4 - 0x1p-22});
  check_number(measured, {"vs", "offset"}, 0x1p-24);
  check_number(measured, {"vs", "spread"}, 0);
  check_number(measured, {"vs", "max_abs"}, 0x1p-24);
}

TEST_CASE("Vs rounds once: differences that a division would lose are kept") {
  Measured measured(Format::fp64, {3}, "seq");
  measured.set_baseline(3);
  measured.add({3 + 0x1p-51});
  check_number(measured, {"vs", "max_abs"}, 0x1p-51 / 3);
  check_null(measured, {"vs", "spread"});  // one sample
}

TEST_CASE("Vs is null for a baseline of 0 or one that is not finite, and leaves infinite results out") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double baseline : {0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    CAPTURE(baseline);
    Measured measured(Format::fp64, {8, -4}, "seq");
    measured.set_baseline(baseline);
    measured.add({4, 5});
    check_null(measured, {"vs", "offset"});
    check_null(measured, {"vs", "spread"});
    check_null(measured, {"vs", "max_abs"});
  }
  Measured measured(Format::fp64, {8, -4}, "seq");
  measured.set_baseline(4);
  measured.add({infinity, 5, std::numeric_limits<double>::quiet_NaN()});
  check_number(measured, {"vs", "offset"}, -0.25);
}

TEST_CASE("the baseline's bits have the digits of its format") {
  for (const auto& [format, text] :
       {std::pair(Format::fp64, "0x3ff8000000000000"), std::pair(Format::fp32, "0x3fc00000"),
        std::pair(Format::fp16, "0x3e00"), std::pair(Format::bf16, "0x3fc0")}) {
    Measured measured(format, {1.5}, "seq");
    CHECK(measure_all(measured.measurement()).of<VsSummary>().baseline_bits == text);
  }
}

TEST_CASE("Vs of bins is that of the list, from exact moments") {
  for (const double sign : {1.0, -1.0}) {
    CAPTURE(sign);
    Measured list(Format::fp64, {8 * sign, -4 * sign}, "seq");
    Measured bins(Format::fp64, {8 * sign, -4 * sign}, "seq", 8);
    std::vector<double> results;
    for (int i = 0; i < 50; ++i) results.push_back(sign * (4 + i * 0x1p-10));
    for (Measured* measured : {&list, &bins}) {
      measured->set_baseline(5 * sign);
      measured->add(results);
    }
    REQUIRE(bins.counts().binned());
    check_number(bins, {"vs", "max_abs"}, *list.number({"vs", "max_abs"}));
    // The mean result is rounded before its distance is taken: half an ulp of 4 over 5. The list rounds every quotient.
    CHECK(std::fabs(*bins.number({"vs", "offset"}) - *list.number({"vs", "offset"})) <= 4 * 0x1p-53);
    const double spread = *list.number({"vs", "spread"});
    // In the list each Vs is u |Vs| off, |Vs| <= 1/5: that moves the deviation by at most as much.
    CHECK(std::fabs(*bins.number({"vs", "spread"}) - spread) <= 0x1p-53 / 5 + 8 * 0x1p-53 * spread);
  }
}

TEST_CASE("bins on both sides of 0 have no Vs") {
  Measured bins(Format::fp64, {8, -4}, "seq", 4);
  bins.set_baseline(4);
  bins.add({-2, -1, 1, 2, 3, 4});
  REQUIRE(bins.counts().binned());
  check_null(bins, {"vs", "offset"});
}
