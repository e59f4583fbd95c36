#include "fit/response_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace orderlab {

namespace {

using Matrix = std::vector<std::vector<double>>;

// x of a x = b for each column of b, by Gauss-Jordan elimination with row pivots; false for a matrix that is singular
// in double arithmetic.
template <class Row>
bool solve(Matrix a, std::vector<Row>& b) {
  constexpr double kSingular = 1e-10;  // a pivot over the largest one: far below what simulated features can tell
  const std::size_t n = a.size();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(a[i][i]));
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
    if (!(std::fabs(a[pivot][c]) > kSingular * largest)) return false;
    std::swap(a[c], a[pivot]);
    std::swap(b[c], b[pivot]);
    const double scale = 1 / a[c][c];
    for (double& value : a[c]) value *= scale;
    for (double& value : b[c]) value *= scale;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = a[r][c];
      for (std::size_t k = 0; k < n; ++k) a[r][k] -= factor * a[c][k];
      for (std::size_t k = 0; k < b[c].size(); ++k) b[r][k] -= factor * b[c][k];
    }
  }
  return true;
}

// The monomials at a point, in the order of the coefficients.
std::vector<double> monomials(std::span<const double> point) {
  std::vector<double> terms{1};
  terms.insert(terms.end(), point.begin(), point.end());
  for (std::size_t i = 0; i < point.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) terms.push_back(point[i] * point[j]);
  return terms;
}

// Their derivatives by coordinate k.
std::vector<double> derivatives(std::span<const double> point, std::size_t k) {
  std::vector<double> terms(1 + point.size(), 0);
  terms[1 + k] = 1;
  for (std::size_t i = 0; i < point.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) terms.push_back((i == k ? point[j] : 0) + (j == k ? point[i] : 0));
  return terms;
}

Features combined(std::span<const Features> coefficients, std::span<const double> terms) {
  Features sum{};
  for (std::size_t c = 0; c < terms.size(); ++c)
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) sum[f] += terms[c] * coefficients[c][f];
  return sum;
}

}  // namespace

std::vector<ResponseSurface::Point> ResponseSurface::design(std::size_t p, std::size_t count) {
  // g solves g^(p+1) = g + 1; multiples of its powers' reciprocals fill the cube evenly.
  double g = 2;
  for (int step = 0; step < 64; ++step) g = std::pow(1 + g, 1 / static_cast<double>(p + 1));
  std::vector<Point> points(count, Point(p));
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < p; ++i) {
      const double place = 0.5 + static_cast<double>(k + 1) / std::pow(g, static_cast<double>(i + 1));
      points[k][i] = 2 * (place - std::floor(place)) - 1;
    }
  return points;
}

std::optional<ResponseSurface> ResponseSurface::through(std::span<const Point> points,
                                                        std::span<const Features> features,
                                                        std::span<const double> weights) {
  const std::size_t n = coefficients(points.front().size());
  Matrix normal(n, std::vector<double>(n, 0));
  std::vector<Features> right(n, Features{});
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (weights[k] == 0) continue;  // as a third of a bootstrap's are
    const std::vector<double> terms = monomials(points[k]);
    for (std::size_t i = 0; i < n; ++i) {
      const double weighted = weights[k] * terms[i];
      for (std::size_t j = 0; j < n; ++j) normal[i][j] += weighted * terms[j];
      for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) right[i][f] += weighted * features[k][f];
    }
  }
  if (!solve(std::move(normal), right)) return std::nullopt;
  return ResponseSurface(std::move(right));
}

Features ResponseSurface::at(std::span<const double> point) const { return combined(coefficients_, monomials(point)); }

// Levenberg-Marquardt. A coordinate at an end of the box that would leave it is held for the step.
ResponseSurface::Point ResponseSurface::nearest(const Features& target, const Features& scales,
                                                const FeatureSet& chosen, const Box& box, Point from) const {
  constexpr int kSteps = 40;
  constexpr double kDone = 1e-6;
  const std::size_t p = from.size();
  double damping = 1e-3;
  double distance = feature_distance(at(from), target, scales, chosen);
  for (int step = 0; step < kSteps; ++step) {
    const Features here = at(from);
    std::vector<Features> slopes;
    for (std::size_t i = 0; i < p; ++i) slopes.push_back(combined(coefficients_, derivatives(from, i)));
    Matrix normal(p, std::vector<double>(p, 0));
    std::vector<std::vector<double>> change(p, std::vector<double>(1, 0));
    for (std::size_t i = 0; i < p; ++i)
      for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) {
        if (!chosen[f]) continue;
        const double slope = slopes[i][f] / (scales[f] * scales[f]);
        for (std::size_t j = 0; j < p; ++j) normal[i][j] += slope * slopes[j][f];
        change[i][0] += slope * (target[f] - here[f]);
      }
    double largest = 0;
    for (std::size_t i = 0; i < p; ++i) largest = std::max(largest, normal[i][i]);
    for (std::size_t i = 0; i < p; ++i) {
      const bool held = (from[i] <= box.low[i] && change[i][0] < 0) || (from[i] >= box.high[i] && change[i][0] > 0);
      if (held) {
        for (std::size_t j = 0; j < p; ++j) normal[i][j] = normal[j][i] = 0;
        normal[i][i] = largest;
        change[i][0] = 0;
      }
      normal[i][i] *= 1 + damping;
    }
    if (!solve(std::move(normal), change)) break;
    Point to = from;
    double moved = 0;
    for (std::size_t i = 0; i < p; ++i) {
      to[i] = std::clamp(from[i] + change[i][0], box.low[i], box.high[i]);
      moved = std::max(moved, std::fabs(to[i] - from[i]));
    }
    const double found = feature_distance(at(to), target, scales, chosen);
    if (found < distance) {
      from = std::move(to);
      distance = found;
      damping /= 8;
    } else {
      damping *= 8;
    }
    if (moved < kDone) break;
  }
  return from;
}

}  // namespace orderlab
