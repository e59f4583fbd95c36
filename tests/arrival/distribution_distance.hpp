// The largest distance between the distribution of a sample and the one that it should have.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace orderlab::test {

/// Kolmogorov's distance of `sample` from the distribution function `cdf`.
template <class Cdf>
double distribution_distance(std::vector<double> sample, Cdf cdf) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(sample[i]);
    const double below = static_cast<double>(i) / n;
    distance = std::max({distance, p - below, below + 1 / n - p});
  }
  return distance;
}

/// The distance that n independent numbers exceed with probability at most 1e-9: P(D > e) <= 2 exp(-2 n e^2),
/// Dvoretzky, Kiefer and Wolfowitz with Massart's constant.
inline double distance_limit(std::size_t n) { return std::sqrt(std::log(2e9) / (2 * static_cast<double>(n))); }

}  // namespace orderlab::test
