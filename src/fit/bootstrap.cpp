#include "fit/bootstrap.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "metrics/statistics.hpp"
#include "orderlab/philox.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {

std::vector<double> bootstrap_weights(std::size_t count, std::uint64_t seed, std::uint64_t replicate) {
  return block_bootstrap_weights(count, 1, seed, replicate);
}

std::size_t bootstrap_block_length(std::size_t count) {
  std::size_t length = 1;
  while (length * length * length < count) ++length;
  return length;
}

std::vector<double> block_bootstrap_weights(std::size_t count, std::size_t length, std::uint64_t seed,
                                            std::uint64_t replicate) {
  const RandomStream stream(seed, streams::kBootstrap, replicate);
  std::vector<double> weights(count);
  std::vector<std::uint32_t> begins((count + length - 1) / length);
  draw_below(stream, static_cast<std::uint32_t>(count), 0, 0, begins);
  std::size_t left = count;
  for (const std::uint32_t begin : begins)
    for (std::size_t i = 0; i < length && left > 0; ++i, --left) ++weights[(begin + i) % count];
  return weights;
}

double repeating_blocks_factor(std::size_t count, std::size_t length) {
  const auto n = static_cast<double>(count);
  return std::sqrt(n / (n - static_cast<double>(length)));
}

double student_quantile(std::size_t count, double outside) {
  const boost::math::students_t student(static_cast<double>(count) - 1);
  return boost::math::quantile(boost::math::complement(student, outside));
}

Interval middle_95(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.025), quantile(values, 0.975)};
}

double quantile_95(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.95);
}

}  // namespace orderlab
