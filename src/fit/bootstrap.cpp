#include "fit/bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "orderlab/permutation.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

std::vector<double> bootstrap_weights(std::size_t count, std::uint64_t seed, std::uint64_t replicate) {
  WordReader words(RandomStream(seed, streams::kBootstrap, replicate));
  std::vector<double> weights(count);
  for (std::size_t j = 0; j < count; ++j) ++weights[words.below(static_cast<std::uint32_t>(count), j)];
  return weights;
}

Interval middle_95(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const auto at = [&](double share) { return values[static_cast<std::size_t>(std::ceil(share * count)) - 1]; };
  return {at(0.025), at(0.975)};
}

}  // namespace orderlab
