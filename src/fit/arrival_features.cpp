#include "orderlab/arrival_features.hpp"

#include <algorithm>
#include <cmath>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "engine/rounds.hpp"
#include "fit/bootstrap.hpp"
#include "fit/feature_rows.hpp"

namespace orderlab {

namespace {

// An error from so many replicates is known to 1 / sqrt(2 * 400) = 3.5 %.
constexpr std::uint64_t kFeatureReplicates = 400;

// Standard errors below this share of the feature are roundings: nothing varies.
constexpr double kFeatureRounding = 1e-9;

/// `factor`: of what replicates vary by, for the errors.
ArrivalFeatures errors_of(const RecordedArrivals& recorded, double factor) {
  ArrivalFeatures errors;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) {
    double squares = 0;
    bool defined = recorded.features[f].has_value();
    for (const ArrivalFeatures& replicate : recorded.replicates) {
      if (!replicate[f]) defined = false;
      if (!defined) break;
      squares += (*replicate[f] - *recorded.features[f]) * (*replicate[f] - *recorded.features[f]);
    }
    if (!defined) continue;
    const double error = factor * std::sqrt(squares / static_cast<double>(recorded.replicates.size()));
    if (error > kFeatureRounding * std::max(1.0, std::fabs(*recorded.features[f]))) errors[f] = error;
  }
  return errors;
}

}  // namespace

ArrivalFeatures arrival_features(ArrivalRows rows, const FeatureOptions& options) {
  const FloatEnvironment environment;
  const StopScope scope(options.stop);
  return FeatureRows(rows, options).all();
}

std::vector<double> correlations_by_lag(ArrivalRows rows, std::size_t most, const FeatureOptions& options) {
  const FloatEnvironment environment;
  const StopScope scope(options.stop);
  return FeatureRows(rows, options, FeatureRows::Taus::left_out).correlations(most);
}

RecordedArrivals recorded_arrivals(ArrivalRows rows, std::uint64_t seed, const FeatureOptions& options) {
  const FloatEnvironment environment;
  const StopScope scope(options.stop);
  return recorded_arrivals(FeatureRows(rows, options), seed, options);
}

RecordedArrivals recorded_arrivals(const FeatureRows& all, std::uint64_t seed, const FeatureOptions& options) {
  const std::size_t runs = all.runs();
  RecordedArrivals recorded;
  recorded.features = all.all();
  recorded.runs = runs;
  recorded.block_length = bootstrap_block_length(runs);
  SampleOptions how{.begin = 0, .end = kFeatureReplicates, .threads = options.threads, .stop = options.stop};
  how.progress = options.progress;
  recorded.replicates = list_in_rounds(how, [&](std::uint64_t b) {
    return all.weighted(block_bootstrap_weights(runs, recorded.block_length, seed, replicates::kArrivalFeatures + b));
  });
  if (recorded.replicates.size() < kFeatureReplicates) throw Stopped{};
  const double factor = repeating_blocks_factor(runs, recorded.block_length);
  recorded.errors = errors_of(recorded, factor);
  for (const ArrivalFeatures& replicate : recorded.replicates)
    if (const auto distance = misfit(standardised(replicate, recorded))) recorded.floor.push_back(factor * *distance);
  std::sort(recorded.floor.begin(), recorded.floor.end());

  const std::size_t half = runs / 2;
  std::vector<double> first(runs);
  std::vector<double> second(runs);
  std::fill(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(half), 1.0);
  std::fill(second.end() - static_cast<std::ptrdiff_t>(half), second.end(), 1.0);
  const ArrivalFeatures one = all.weighted(first);
  const ArrivalFeatures other = all.weighted(second);
  ArrivalFeatures difference;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
    if (one[f] && other[f] && recorded.errors[f]) difference[f] = (*other[f] - *one[f]) / (2 * *recorded.errors[f]);
  recorded.halves = misfit(difference);
  return recorded;
}

ArrivalFeatures standardised(const ArrivalFeatures& features, const RecordedArrivals& recorded,
                             std::optional<std::uint64_t> runs) {
  const FloatEnvironment environment;
  const double factor = runs ? std::sqrt(1 + static_cast<double>(recorded.runs) / static_cast<double>(*runs)) : 1;
  ArrivalFeatures differences;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
    if (features[f] && recorded.features[f] && recorded.errors[f])
      differences[f] = (*features[f] - *recorded.features[f]) / (factor * *recorded.errors[f]);
  return differences;
}

std::optional<double> misfit(const ArrivalFeatures& standardised) {
  const FloatEnvironment environment;
  double squares = 0;
  std::size_t count = 0;
  for (const std::optional<double>& difference : standardised) {
    if (!difference) continue;
    squares += *difference * *difference;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return std::sqrt(squares / static_cast<double>(count));
}

}  // namespace orderlab
