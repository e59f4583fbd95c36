// Service times in bulk: first attempts by vectors, the rest one at a time.
#include "arrival/service_time.hpp"

#include <algorithm>

#include "arrival/random_number_vectors.hpp"
#include "core/arithmetic_guard.hpp"
#include "vectors/philox_vectors.hpp"

namespace orderlab {

void ServiceTime::fill(const RandomStream& stream, std::uint64_t first, std::span<double> times) const {
  if (constant_) {
    std::fill(times.begin(), times.end(), 1.0);
    return;
  }
  visit_philox_blocks(stream, first, times.size(), [&](std::size_t begin, auto low, auto high) {
    const std::span<double> part = times.subspan(begin, low.size());
    gamma_attempts({low, high}, c_, d_, part);
    for (std::size_t k = 0; k < part.size(); ++k)
      part[k] = scale_ * (part[k] > 0 ? part[k] : accepted(stream, first + begin + k));
    if (!boosted_) return;
    philox_blocks(stream, first + begin, kBoostAttempt, low, high);
    multiply_by_powers({low, high}, square_, part);
  });
}

}  // namespace orderlab
