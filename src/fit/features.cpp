#include "fit/features.hpp"

#include <algorithm>
#include <cmath>

#include "core/stop.hpp"
#include "engine/rounds.hpp"
#include "fit/feature_rows.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

Features values_of(const ArrivalFeatures& features) {
  Features values{};
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) values[f] = features[f].value_or(0);
  return values;
}

FeatureSet defined_in(const ArrivalFeatures& features) {
  FeatureSet defined;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) defined[f] = features[f].has_value();
  return defined;
}

Features difference(const Features& a, const Features& b) {
  Features result{};
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) result[f] = a[f] - b[f];
  return result;
}

double feature_distance(const Features& a, const Features& b, const Features& scales, const FeatureSet& chosen) {
  double squares = 0;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) {
    if (!chosen[f]) continue;
    const double difference = (a[f] - b[f]) / scales[f];
    squares += difference * difference;
  }
  return chosen.none() ? 0 : std::sqrt(squares / static_cast<double>(chosen.count()));
}

std::size_t pass_length(ArrivalRows rows) {
  const std::size_t m = rows.front()->size();
  std::vector<bool> cut(m, true);  // cut[b]: the first b to arrive are those launched first, in every row
  for (const ArrivalOrder* row : rows) {
    std::size_t after_latest = 0;
    for (std::size_t b = 1; b < m; ++b) {
      after_latest = std::max<std::size_t>(after_latest, (*row)[b - 1] + std::size_t{1});
      if (after_latest > b) cut[b] = false;
    }
  }
  if (std::find(cut.begin(), cut.end(), false) == cut.end()) return m;
  for (std::size_t g = 2; g < m; ++g) {
    bool all = true;
    for (std::size_t b = g; all && b < m; b += g) all = cut[b];
    if (all) return g;
  }
  return m;
}

std::optional<Features> simulate_recording(const ArrivalCall& call, std::size_t m, const FirstWave& wave,
                                           std::uint64_t seed, std::uint64_t first, std::uint64_t runs,
                                           const SampleOptions& how) {
  const std::uint64_t key = call.model->steady ? DrawPath{.seed = seed, .output = first}.key() : seed;
  std::vector<ArrivalOrder> orders(runs, ArrivalOrder(m));
  SampleOptions options = how;
  options.begin = 0;
  options.end = runs;
  each_in_rounds(options, [&](std::uint64_t i) {
    call.model->draw(*call.arguments, RandomStream(key, streams::kFit, first + i), orders[i]);
  });
  std::vector<const ArrivalOrder*> rows;
  for (const ArrivalOrder& order : orders) rows.push_back(&order);
  return unless_stopped([&] {
    const FeatureOptions feature_options{.wave = wave, .threads = how.threads, .stop = how.stop};
    return values_of(FeatureRows(rows, feature_options).all());
  });
}

}  // namespace orderlab
