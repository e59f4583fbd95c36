#include "fit/acceptance.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

#include "core/float_environment.hpp"
#include "fit/bootstrap.hpp"
#include "fit/errors.hpp"

namespace orderlab {

namespace {

double accepted_difference(FeatureKind kind, double recorded) {
  switch (kind) {
    case FeatureKind::tau:
      return 0.01;
    case FeatureKind::displacement:
      return std::max(0.1 * std::fabs(recorded), 1.0);
    case FeatureKind::tau_sd:
      return std::max(0.1 * recorded, 0.001);
    case FeatureKind::correlation:
      return 0.05;
  }
  return 0;
}

// The 95 % quantile of the largest |change| among the first `count` features in units of its standard error.
double simultaneous_quantile(std::span<const Features> changes, const Features& errors, std::size_t count) {
  std::vector<double> largest;
  for (const Features& change : changes) {
    double most = 0;
    for (std::size_t f = 0; f < count; ++f)
      if (errors[f] > 0) most = std::max(most, std::fabs(change[f]) / errors[f]);
    largest.push_back(most);
  }
  return quantile_95(std::move(largest));
}

}  // namespace

Features feature_tolerances(const Features& recorded) {
  const FloatEnvironment environment;
  Features tolerances{};
  for (std::size_t f = 0; f < kFeatures; ++f) tolerances[f] = accepted_difference(kFeatureList[f].kind, recorded[f]);
  return tolerances;
}

double feature_distance(const Features& fitted, const Features& recorded, const Features& scales,
                        const FeatureSet& chosen) {
  const FloatEnvironment environment;
  double squares = 0;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    if (!chosen[f]) continue;
    const double difference = (fitted[f] - recorded[f]) / scales[f];
    squares += difference * difference;
  }
  return std::sqrt(squares / static_cast<double>(chosen.count()));
}

bool FittedModel::accepted() const {
  const FloatEnvironment environment;
  return std::all_of(matches.begin(), matches.end(), [](const FeatureMatch& match) { return match.accepted; });
}

std::vector<double> judge(FoundModel& found, const ResampledRows& held_out, std::span<const Features> units,
                          std::size_t length, std::uint64_t seed) {
  const std::size_t count = feature_count(length);
  const Features fitted = mean_of(units);
  const Features& recorded = held_out.mean;
  found.model.held_out_distance = feature_distance(fitted, recorded, held_out.scales, first_features(count));

  std::vector<double> distances;
  std::vector<Features> changes;  // changes of recorded - fitted
  for (std::uint64_t b = 0; b < kReplicates; ++b) {
    const auto weights = bootstrap_weights(units.size(), seed, replicates::kJudging + 2 * b + 1);
    const Features simulated = mean_of(units, weights);
    Features& change = changes.emplace_back(difference(held_out.replicates[b], recorded));
    for (std::size_t f = 0; f < kFeatures; ++f) change[f] -= simulated[f] - fitted[f] + found.moved[b][f];
    distances.push_back(feature_distance(simulated, held_out.replicates[b], held_out.scales, first_features(count)));
  }

  const Features errors = root_mean_squares(changes);
  const boost::math::normal normal;
  const double outside = boost::math::cdf(complement(normal, simultaneous_quantile(changes, errors, count)));
  const double factor = half_width_factor(held_out.rows, outside);
  const Features accepted = feature_tolerances(recorded);
  found.model.matches.clear();
  for (std::size_t f = 0; f < count; ++f) {
    const double half_width = factor * errors[f];
    const bool near = std::fabs(fitted[f] - recorded[f]) <= std::max(accepted[f], half_width);
    found.model.matches.push_back({recorded[f], recorded[f] - half_width, recorded[f] + half_width, fitted[f], near});
  }
  return distances;
}

void mark_as_near(std::span<FittedModel> models, std::span<const std::vector<double>> distances, std::size_t held_out) {
  constexpr double kOutside = 0.025;
  const bool any = std::any_of(models.begin(), models.end(), [](const FittedModel& m) { return m.accepted(); });
  const auto candidate = [&](std::size_t i) { return !any || models[i].accepted(); };
  std::size_t nearest = models.size();
  for (std::size_t i = 0; i < models.size(); ++i)
    if (candidate(i) && (nearest == models.size() || models[i].held_out_distance < models[nearest].held_out_distance))
      nearest = i;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const double farther = models[i].held_out_distance - models[nearest].held_out_distance;
    double squares = 0;
    for (std::size_t b = 0; b < distances[i].size(); ++b) {
      const double change = distances[i][b] - distances[nearest][b] - farther;
      squares += change * change / static_cast<double>(distances[i].size());
    }
    models[i].as_near = candidate(i) && farther <= half_width_factor(held_out, kOutside) * std::sqrt(squares);
  }
}

}  // namespace orderlab
