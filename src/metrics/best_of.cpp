#include "metrics/best_of.hpp"

#include "core/arithmetic_guard.hpp"
#include "metrics/moments.hpp"

namespace orderlab {

double best_of_gain(std::span<const double> ascending, std::uint64_t k) {
  const double mean = Moments(ascending).mean;
  const auto n = static_cast<double>(ascending.size());
  const auto chosen = static_cast<double>(k);
  double weight = chosen / n;  // that of the largest; C(i - 2, k - 1) / C(i - 1, k - 1) = (i - k) / (i - 1)
  double gain = 0;
  for (std::size_t i = ascending.size(); i >= k && i > 0; --i) {
    gain += weight * (ascending[i - 1] - mean);
    const auto rank = static_cast<double>(i);
    if (i > 1) weight *= (rank - chosen) / (rank - 1);
  }
  return gain;
}

}  // namespace orderlab
