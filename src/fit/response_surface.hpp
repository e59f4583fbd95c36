// Simulated features as smooth functions of a model's parameters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fit/features.hpp"

namespace orderlab {

/// Each feature as a quadratic polynomial of p coordinates, which run from -1 to 1 where it was fitted. Simulated
/// features are rough, as every order is drawn; a polynomial through many of them is not, and has less error than each.
///
/// Source: [BoxWilson1951].
class ResponseSurface {
 public:
  using Point = std::vector<double>;

  /// From low to high in every coordinate.
  struct Box {
    Point low;
    Point high;
  };

  /// Coefficients of a polynomial of p coordinates.
  static std::size_t coefficients(std::size_t p) { return (p + 1) * (p + 2) / 2; }

  /// `count` points that fill the cube from -1 to 1 evenly: an additive recurrence [Roberts2018].
  static std::vector<Point> design(std::size_t p, std::size_t count);

  /// By least squares, point i counted weights[i] times. Empty where the points do not determine the polynomial.
  static std::optional<ResponseSurface> through(std::span<const Point> points, std::span<const Features> features,
                                                std::span<const double> weights);

  Features at(std::span<const double> point) const;

  /// The point of a box whose `chosen` features are nearest to `target` in units of `scales`, as reached downhill from
  /// `from`.
  Point nearest(const Features& target, const Features& scales, const FeatureSet& chosen, const Box& box,
                Point from) const;

 private:
  explicit ResponseSurface(std::vector<Features> coefficients) : coefficients_(std::move(coefficients)) {}

  std::vector<Features> coefficients_;  ///< factors of 1, x_0, ..., then of x_i x_j, j <= i
};

}  // namespace orderlab
