// A power law through points: y = c x^p, by least squares on logarithms.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace orderlab {

struct XY {
  double x;
  double y;
};

/// y = factor * x^exponent, and the confidence interval of the exponent.
struct PowerLaw {
  double factor;
  double exponent;
  double low;
  double high;
  std::size_t points;
  double least_x;
  double greatest_x;

  double at(double x) const;
};

/// Confidence of the intervals that pages show.
inline constexpr double kPageConfidence = 0.95;

/// Ordinary least squares of log y on log x over the points with x > 0 and y > 0.
///
/// Error:   the interval is exponent -+ t s / sqrt(sum (log x - mean)^2), s^2 = sum of squared residuals / (N - 2), t
///          the (1 + confidence) / 2 quantile of Student's t with N - 2 degrees of freedom: exact where residuals are
///          independent and normal with one variance. What all sizes of one input have in common moves its points
///          alike: it does not change the exponent, and makes the interval wider than necessary.
/// Special: empty for fewer than 3 distinct x: two would always lie on a line.
std::optional<PowerLaw> fit_power_law(std::span<const XY> points, double confidence = kPageConfidence);

/// The law with its exponent and interval, at the height where it is nearest to `marks` by least squares on logarithms:
/// to draw it through marks that are other means of the inputs than a fit over all of them goes through.
///
/// Shape: marks.size() >= 1, x > 0 and y > 0.
PowerLaw through(PowerLaw law, std::span<const XY> marks);

}  // namespace orderlab
