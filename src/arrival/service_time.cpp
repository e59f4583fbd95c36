// Service times in bulk: first attempts by vectors, the rest one at a time.
#include "arrival/service_time.hpp"

#include <algorithm>
#include <array>

#include "arrival/random_number_vectors.hpp"
#include "core/arithmetic_guard.hpp"
#include "core/philox_vectors.hpp"

namespace orderlab {

void ServiceTime::fill(const RandomStream& stream, std::uint64_t first, std::span<double> times) const {
  if (constant_) {
    std::fill(times.begin(), times.end(), 1.0);
    return;
  }
  std::array<std::uint64_t, kBlocksAtOnce> low_storage, high_storage;
  for (std::size_t begin = 0; begin < times.size(); begin += kBlocksAtOnce) {
    const std::span<double> part = times.subspan(begin, std::min(kBlocksAtOnce, times.size() - begin));
    const auto low = std::span(low_storage).first(part.size());
    const auto high = std::span(high_storage).first(part.size());
    const BlockWords blocks{low, high};
    philox_blocks(stream, first + begin, 0, low, high);
    gamma_attempts(blocks, c_, d_, part);
    for (std::size_t k = 0; k < part.size(); ++k)
      part[k] = scale_ * (part[k] > 0 ? part[k] : accepted(stream, first + begin + k));
    if (!boosted_) continue;
    philox_blocks(stream, first + begin, kBoostAttempt, low, high);
    multiply_by_powers(blocks, square_, part);
  }
}

}  // namespace orderlab
