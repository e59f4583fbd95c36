#include "study/poisson_rate.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>

namespace orderlab::study {

Interval95 per_thousand(std::uint64_t events, std::uint64_t trials) {
  const auto count = static_cast<double>(events);
  const double scale = 1000 / static_cast<double>(trials);
  return {count * scale, events > 0 ? boost::math::gamma_p_inv(count, 0.025) * scale : 0,
          std::min(1000.0, boost::math::gamma_p_inv(count + 1, 0.975) * scale)};
}

Interval95 per_thousand_by_group(std::span<const std::uint64_t> events, std::uint64_t weight, std::uint64_t trials) {
  double sum = 0;
  double variance = 0;
  auto largest = static_cast<double>(weight);
  for (const std::uint64_t of_group : events) {
    const auto count = static_cast<double>(of_group);
    sum += count;
    variance += count * count;
    largest = std::max(largest, count);
  }
  const double scale = 1000 / static_cast<double>(trials);
  const auto quantile = [scale](double mean, double of_variance, double probability) {
    const double per_event = of_variance / mean;
    return std::min(1000.0, boost::math::gamma_p_inv(mean / per_event, probability) * per_event * scale);
  };
  return {sum * scale, sum > 0 ? quantile(sum, variance, 0.025) : 0,
          quantile(sum + largest, variance + largest * largest, 0.975)};
}

}  // namespace orderlab::study
