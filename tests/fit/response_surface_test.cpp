#include "fit/response_surface.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace orderlab;
using Point = ResponseSurface::Point;

namespace {

const ResponseSurface::Box kBox{{-1.5, -1.5}, {1.5, 1.5}};
const Features kUnits = [] {
  Features units{};
  units.fill(1);
  return units;
}();

/// Quadratic in (x, y), different for each feature.
Features quadratic(const Point& at) {
  Features features{};
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) {
    const auto k = static_cast<double>(f);
    features[f] = k + (1 + k) * at[0] - k * at[1] + 0.25 * at[0] * at[0] + at[0] * at[1] - 0.5 * k * at[1] * at[1];
  }
  return features;
}

ResponseSurface surface_of_quadratics() {
  const std::vector<Point> points = ResponseSurface::design(2, 30);
  std::vector<Features> features;
  for (const Point& point : points) features.push_back(quadratic(point));
  const auto surface = ResponseSurface::through(points, features, std::vector<double>(points.size(), 1));
  REQUIRE(surface);
  return *surface;
}

const FeatureSet kFirstEight(0xFF);

}  // namespace

TEST_CASE("a design fills its cube: each eighth of it gets about its share of points") {
  const std::vector<Point> points = ResponseSurface::design(3, 64);
  int octants[8] = {};
  for (const Point& x : points) {
    for (const double c : x) CHECK(std::fabs(c) <= 1);
    ++octants[(x[0] > 0 ? 1 : 0) + (x[1] > 0 ? 2 : 0) + (x[2] > 0 ? 4 : 0)];
  }
  for (const int count : octants) {
    CHECK(count >= 4);
    CHECK(count <= 12);
  }
}

TEST_CASE("a surface through points of quadratic polynomials is these polynomials") {
  const ResponseSurface surface = surface_of_quadratics();
  for (const Point& point : {Point{0, 0}, Point{0.3, -0.9}, Point{-1.4, 1.4}}) {
    const Features expected = quadratic(point);
    const Features found = surface.at(point);
    // Values below 80, a system of 6 equations whose condition number is below 100.
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
      CHECK(std::fabs(found[f] - expected[f]) <= 100 * 80 * 30 * 0x1p-53);
  }
}

TEST_CASE("the nearest point of a surface is the one whose features are asked for, or lies at the end of the box") {
  const ResponseSurface surface = surface_of_quadratics();
  const Point inside = surface.nearest(quadratic({0.4, -0.2}), kUnits, kFirstEight, kBox, {0, 0});
  CHECK(std::fabs(inside[0] - 0.4) <= 1e-5);  // steps end when they are below 1e-6
  CHECK(std::fabs(inside[1] + 0.2) <= 1e-5);
  // With x held at its end, y still finds its least.
  const ResponseSurface::Box narrow{{-1.5, -1.5}, {0.1, 1.5}};
  const Features target = quadratic({0.4, -0.2});
  const Point at_end = surface.nearest(target, kUnits, kFirstEight, narrow, {0, 0});
  CHECK(at_end[0] == 0.1);
  const double distance = feature_distance(surface.at(at_end), target, kUnits, kFirstEight);
  for (const double step : {-0.01, 0.01})
    CHECK(feature_distance(surface.at(Point{0.1, at_end[1] + step}), target, kUnits, kFirstEight) > distance);
}

TEST_CASE("points that do not determine a polynomial have no surface") {
  std::vector<Point> line;
  for (int i = 0; i < 30; ++i) line.push_back({0.1 * i - 1.5, 0});
  const std::vector<Features> features(line.size(), Features{});
  CHECK(!ResponseSurface::through(line, features, std::vector<double>(line.size(), 1)));
}
