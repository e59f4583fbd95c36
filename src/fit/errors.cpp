#include "fit/errors.hpp"

#include <cmath>
#include <cstddef>

namespace orderlab {

ResampledRows resample(const RecordedFeatures& rows, std::uint64_t seed, std::uint64_t first) {
  ResampledRows resampled;
  resampled.rows = rows.size();
  resampled.mean = rows.mean();
  std::vector<Features> changes;
  for (std::uint64_t b = 0; b < kReplicates; ++b) {
    resampled.replicates.push_back(rows.mean(bootstrap_weights(rows.size(), seed, first + 2 * b)));
    changes.push_back(difference(resampled.replicates.back(), resampled.mean));
  }
  const Features errors = root_mean_squares(changes);
  constexpr double kRounding = 1e-9;  // means of equal numbers differ in their last digits
  const Features accepted = feature_tolerances(resampled.mean);
  for (std::size_t f = 0; f < kFeatures; ++f) {
    resampled.vary = resampled.vary || errors[f] > kRounding * accepted[f];
    resampled.scales[f] = std::hypot(errors[f], accepted[f]);
  }
  return resampled;
}

Features root_mean_squares(std::span<const Features> changes) {
  Features squares{};
  for (const Features& change : changes)
    for (std::size_t f = 0; f < kFeatures; ++f) squares[f] += change[f] * change[f];
  for (double& square : squares) square = std::sqrt(square / static_cast<double>(changes.size()));
  return squares;
}

Features difference(const Features& a, const Features& b) {
  Features result{};
  for (std::size_t f = 0; f < kFeatures; ++f) result[f] = a[f] - b[f];
  return result;
}

}  // namespace orderlab
