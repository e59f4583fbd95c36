// Good-Turing by hand, and against the mass that is really unseen.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "metrics/measured.hpp"

using namespace orderlab;
using namespace orderlab::testing;

TEST_CASE("the unseen mass is the share of samples whose result was seen once") {
  Measured measured(Format::fp64, {8, -4}, "random");
  measured.add({4, 5, 5, 6, 7, 7, 7, 8});
  check_number(measured, {"unseen_mass"}, 3.0 / 8);
  measured.add({4, 6, 8});
  check_number(measured, {"unseen_mass"}, 0);
}

TEST_CASE("a fixed order leaves nothing unseen") {
  Measured measured(Format::fp64, {8, -4}, "pairwise");
  measured.draw(1);
  check_number(measured, {"unseen_mass"}, 0);
}

TEST_CASE("neither distinct results nor the unseen mass are known beyond the list") {
  Measured measured(Format::fp64, {8, -4}, "random", 3);
  measured.add({4, 5, 6});
  check_number(measured, {"distinct"}, 3);
  check_number(measured, {"unseen_mass"}, 1);
  measured.add({7});
  check_null(measured, {"distinct"});
  check_null(measured, {"unseen_mass"});
}

TEST_CASE("the unseen mass is on average that of the results not drawn yet") {
  // 64 equally likely results; a part of 50 leaves (63/64)^50 of them unseen, and expects (63/64)^49 seen once.
  const std::uint64_t parts = trials(500);
  double estimated = 0;
  double unseen = 0;
  Measured frame(Format::fp64, {8, -4}, "random");
  for (std::uint64_t part = 0; part < parts; ++part) {
    IndexGenerator draw(RandomStream(7, 0, part), 0);
    std::vector<double> results(50);
    for (double& r : results) r = static_cast<double>(below(draw, 64));
    Measured measured(Format::fp64, {8, -4}, "random");
    measured.add(results);
    estimated += *measured.number({"unseen_mass"});
    unseen += (64 - *measured.number({"distinct"})) / 64;
  }
  estimated /= static_cast<double>(parts);
  unseen /= static_cast<double>(parts);
  // Each mean is of values in [0, 1]: Hoeffding, P < 2 exp(-2 parts t^2) < 1e-6 for t = sqrt(7.3 / parts).
  const double tolerance = std::sqrt(7.3 / static_cast<double>(parts));
  CHECK(std::fabs(estimated - std::pow(63.0 / 64, 49)) <= tolerance);
  CHECK(std::fabs(unseen - std::pow(63.0 / 64, 50)) <= tolerance);
}
