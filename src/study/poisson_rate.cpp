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

}  // namespace orderlab::study
