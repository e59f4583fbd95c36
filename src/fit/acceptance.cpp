#include "fit/acceptance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fit/bootstrap.hpp"

namespace orderlab {

Features feature_tolerances(const Features& recorded) {
  constexpr double kTau = 0.01;
  constexpr double kDisplacement = 0.1;
  Features tolerances{};
  for (std::size_t f = 0; f < kFeatures; ++f)
    tolerances[f] = f < kTaus ? kTau : std::max(kDisplacement * std::fabs(recorded[f]), 1.0);
  return tolerances;
}

double feature_distance(const Features& fitted, const Features& recorded) {
  const Features tolerances = feature_tolerances(recorded);
  double squares = 0;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    const double difference = (fitted[f] - recorded[f]) / tolerances[f];
    squares += difference * difference;
  }
  return std::sqrt(squares / kFeatures);
}

bool FittedModel::accepted() const {
  return std::all_of(matches.begin(), matches.end(), [](const FeatureMatch& match) { return match.accepted; });
}

void judge(FittedModel& model, const RecordedFeatures& held_out, std::span<const Features> units, std::uint64_t seed) {
  const Features fitted = mean_of(units);
  const Features recorded = held_out.mean();
  const Features tolerances = feature_tolerances(recorded);
  model.held_out_distance = feature_distance(fitted, recorded);
  std::array<std::vector<double>, kFeatures> resampled;
  for (std::uint64_t b = 0; b < kReplicates; ++b) {
    const Features mean = held_out.mean(bootstrap_weights(held_out.size(), seed, replicates::kJudging + b));
    for (std::size_t f = 0; f < kFeatures; ++f) resampled[f].push_back(mean[f]);
  }
  for (std::size_t f = 0; f < kFeatures; ++f) {
    const Interval interval = middle_95(resampled[f]);
    const bool inside = interval.low <= fitted[f] && fitted[f] <= interval.high;
    const bool near = std::fabs(fitted[f] - recorded[f]) <= tolerances[f];
    model.matches[f] = {recorded[f], interval.low, interval.high, fitted[f], near || inside};
  }
}

}  // namespace orderlab
