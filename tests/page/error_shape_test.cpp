// Histograms and distribution functions: nothing is lost, nothing is counted twice, and there are few enough.
#include "page/error_shape.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace orderlab;

namespace {

Distribution grid(std::size_t count, double first, double step) {
  Distribution errors;
  for (std::size_t i = 0; i < count; ++i)
    errors.values.push_back({first + step * static_cast<double>(i), static_cast<double>(1 + i % 3)});
  return errors;
}

}  // namespace

TEST_CASE("results on a grid of ulps have a bar each where there is room, and share bars where there is none") {
  for (const std::size_t count : {1U, 2U, 63U, 64U, 65U, 1000U}) {
    CAPTURE(count);
    const Distribution errors = grid(count, -3.375, 0.5);  // all exact
    const std::vector<HistogramBar> bars = histogram_of(errors);
    CHECK(bars.size() <= 64);
    if (count <= 64) CHECK(bars.size() == count);
    double total = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
      total += bars[i].fraction;
      CHECK(bars[i].high - bars[i].low == bars[0].high - bars[0].low);
      if (i > 0) CHECK(bars[i].low >= bars[i - 1].high);
    }
    CHECK(std::fabs(total - 1) <= 64 * 0x1p-53);  // one rounding a bar and addition
    CHECK(bars.front().low < errors.values.front().value);
    CHECK(bars.back().high > errors.values.back().value);
  }
}

TEST_CASE("a gap in the results is a gap between bars") {
  const std::vector<HistogramBar> bars = histogram_of({{{0, 1}, {1, 2}, {40, 1}}});
  REQUIRE(bars.size() == 3);
  CHECK(bars[1].fraction == 0.5);
  CHECK(bars[2].low == 39.5);
}

TEST_CASE("a distribution function of magnitudes joins both signs, rises to 1 and is no longer than asked for") {
  const std::vector<EcdfStep> steps =
      ecdf_of_magnitude(std::vector<Weighted>{{-2, 1}, {-1, 1}, {0, 1}, {1, 2}, {2, 3}});
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].magnitude == 0);
  CHECK(steps[0].fraction == 0.125);
  CHECK(steps[1].fraction == 0.5);
  CHECK(steps[2].fraction == 1);
  const std::vector<Weighted> many = grid(5000, 1, 0.25).values;
  const std::vector<EcdfStep> thinned = ecdf_of_magnitude(many, 200);
  CHECK(thinned.size() <= 200);
  CHECK(thinned.size() >= 150);
  CHECK(thinned.front().magnitude == 1);
  CHECK(thinned.back().magnitude == many.back().value);
  CHECK(thinned.back().fraction == 1);
  for (std::size_t i = 1; i < thinned.size(); ++i) CHECK(thinned[i].fraction - thinned[i - 1].fraction < 2.0 / 150);
}

TEST_CASE("neighbours are joined where there are too many, and no sample and no extreme is lost") {
  for (const std::size_t count : {1U, 4U, 100U, 101U, 102U, 5000U})
    for (const std::size_t most : {4U, 100U}) {
      CAPTURE(count);
      const Distribution errors = grid(count, -8, 0.25);
      const std::vector<Weighted> joined = joined_neighbours(errors, most).values;
      CHECK(joined.size() <= most);
      if (count <= most) CHECK(joined.size() == count);
      CHECK(joined.front().value == errors.values.front().value);
      CHECK(joined.back().value == errors.values.back().value);
      double before = 0;
      double after = 0;
      for (const Weighted& error : errors.values) before += error.weight;
      for (std::size_t i = 0; i < joined.size(); ++i) {
        after += joined[i].weight;
        if (i > 0) CHECK(joined[i].value > joined[i - 1].value);
      }
      CHECK(after == before);
    }
}
