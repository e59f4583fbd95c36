#include "page/power_law.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <set>

namespace orderlab {

double PowerLaw::at(double x) const { return factor * std::pow(x, exponent); }

std::optional<PowerLaw> fit_power_law(std::span<const XY> points, double confidence) {
  std::vector<XY> logs;
  std::set<double> places;
  for (const XY& point : points) {
    if (!(point.x > 0) || !(point.y > 0) || !std::isfinite(point.y)) continue;
    logs.push_back({std::log(point.x), std::log(point.y)});
    places.insert(point.x);
  }
  if (places.size() < 3) return std::nullopt;
  const double n = static_cast<double>(logs.size());
  XY mean{0, 0};
  for (const XY& point : logs) {
    mean.x += point.x / n;
    mean.y += point.y / n;
  }
  double xx = 0;
  double xy = 0;
  for (const XY& point : logs) {
    xx += (point.x - mean.x) * (point.x - mean.x);
    xy += (point.x - mean.x) * (point.y - mean.y);
  }
  const double slope = xy / xx;
  double residuals = 0;
  for (const XY& point : logs) {
    const double residual = point.y - mean.y - slope * (point.x - mean.x);
    residuals += residual * residual;
  }
  const boost::math::students_t student(n - 2);
  const double reach = boost::math::quantile(student, (1 + confidence) / 2) * std::sqrt(residuals / (n - 2) / xx);
  return PowerLaw{std::exp(mean.y - slope * mean.x),
                  slope,
                  slope - reach,
                  slope + reach,
                  logs.size(),
                  *places.begin(),
                  *places.rbegin()};
}

PowerLaw through(PowerLaw law, std::span<const XY> marks) {
  double logs = 0;
  for (const XY& mark : marks) logs += std::log(mark.y) - law.exponent * std::log(mark.x);
  law.factor = std::exp(logs / static_cast<double>(marks.size()));
  return law;
}

}  // namespace orderlab
