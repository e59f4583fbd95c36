#include "fit/features.hpp"

#include <algorithm>
#include <cmath>

#include "engine/rounds.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

/// value(i) for i in 0 .. count-1, in parallel; fewer when stopped.
template <class Value>
auto in_parallel(std::uint64_t count, const SampleOptions& how, Value value) {
  SampleOptions options = how;
  options.begin = 0;
  options.end = count;
  return list_in_rounds(options, value);
}

// Mean |position - launch index| of the launch indices from `begin` to before `end`.
double mean_distance(const ArrivalOrder& order, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (order[k] >= begin && order[k] < end) sum += std::fabs(static_cast<double>(k) - static_cast<double>(order[k]));
  return sum / static_cast<double>(end - begin);
}

constexpr std::size_t kTauToLaunch = 0;
constexpr std::size_t kTauBetween = 1;
constexpr std::size_t kTauSd = 8;
constexpr std::size_t kBetween = 9;
constexpr std::size_t kNeighbours1 = 10;
static_assert(kFeatureList[kTauSd].kind == FeatureKind::tau_sd);
static_assert(kNeighbours1 + kNeighbourLags.size() == kFeatures);

// Position - launch index, by launch index.
std::vector<double> displacements(std::span<const std::uint32_t> order) {
  std::vector<double> displacement(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    displacement[order[k]] = static_cast<double>(k) - static_cast<double>(order[k]);
  return displacement;
}

/// x[i] / count. Eight at a time: the compiler divides several at once where it knows how many there are.
std::vector<double> divided(std::span<const double> x, double count) {
  constexpr std::size_t kAtOnce = 8;
  std::vector<double> quotients(x.size());
  std::size_t i = 0;
  for (; i + kAtOnce <= x.size(); i += kAtOnce)
    for (std::size_t k = 0; k < kAtOnce; ++k) quotients[i + k] = x[i + k] / count;
  for (; i < x.size(); ++i) quotients[i] = x[i] / count;
  return quotients;
}

/// Pearson's correlation, with both lists divided by their length.
double correlation(std::span<const double> first, std::span<const double> second, std::span<const double> first_parts,
                   std::span<const double> second_parts) {
  const std::size_t pairs = first.size();
  double first_mean = 0;
  double second_mean = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    first_mean += first_parts[i];
    second_mean += second_parts[i];
  }
  double product = 0;
  double first_square = 0;
  double second_square = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    product += (first[i] - first_mean) * (second[i] - second_mean);
    first_square += (first[i] - first_mean) * (first[i] - first_mean);
    second_square += (second[i] - second_mean) * (second[i] - second_mean);
  }
  const double scale = std::sqrt(first_square) * std::sqrt(second_square);
  return scale > 0 ? product / scale : 0;
}

double lagged_correlation(std::span<const double> displacement, std::size_t lag) {
  const std::size_t pairs = displacement.size() - lag;
  const std::vector<double> parts = divided(displacement, static_cast<double>(pairs));
  return correlation(displacement.first(pairs), displacement.subspan(lag), std::span(parts).first(pairs),
                     std::span(parts).subspan(lag));
}

// All but those between runs and tau_sd, which take several rows.
Features row_features(const ArrivalOrder& order) {
  const auto [q5, q25, q75, q95] = displacement_quantiles(order);
  const std::size_t m = order.size();
  const std::size_t quarter = (m + 3) / 4;
  Features features{
      kendall_tau(order), 0, q5, q25, q75, q95, mean_distance(order, 0, quarter), mean_distance(order, m - quarter, m)};
  const std::vector<double> displacement = displacements(order);
  for (std::size_t f = kNeighbours1; f < feature_count(m); ++f)
    features[f] = lagged_correlation(displacement, kNeighbourLags[f - kNeighbours1]);
  return features;
}

}  // namespace

std::size_t feature_count(std::size_t m) {
  constexpr std::size_t kBlocksALag = 4;
  std::size_t count = kNeighbours1;
  for (const std::size_t lag : kNeighbourLags) count += kBlocksALag * lag <= m ? 1 : 0;
  return count;
}

double neighbour_correlation(std::span<const std::uint32_t> order, std::size_t lag) {
  return lagged_correlation(displacements(order), lag);
}

double between_correlation(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other) {
  const std::vector<double> first = displacements(one);
  const std::vector<double> second = displacements(other);
  const auto pairs = static_cast<double>(first.size());
  return correlation(first, second, divided(first, pairs), divided(second, pairs));
}

std::size_t pass_length(const std::vector<const ArrivalOrder*>& rows) {
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

std::array<double, kDisplacementLevels.size()> displacement_quantiles(std::span<const std::uint32_t> order) {
  const std::size_t m = order.size();
  std::vector<std::uint32_t> counts(2 * m);  // how often each displacement + m occurs; displacements are above -m
  for (std::size_t k = 0; k < m; ++k) ++counts[k + m - order[k]];
  std::array<double, kDisplacementLevels.size()> quantiles{};
  std::size_t up_to = 0;  // displacements below `place`
  std::size_t place = 0;
  for (std::size_t level = 0; level < quantiles.size(); ++level) {
    const auto rank = static_cast<std::size_t>(std::ceil(kDisplacementLevels[level] * static_cast<double>(m)));
    while (up_to < rank) up_to += counts[place++];
    quantiles[level] = static_cast<double>(place) - 1 - static_cast<double>(m);
  }
  return quantiles;
}

RecordedFeatures::RecordedFeatures(const std::vector<const ArrivalOrder*>& rows, const SampleOptions& how)
    : rows_(rows.size()) {
  of_row_ = in_parallel(rows.size(), how, [&](std::uint64_t i) { return row_features(*rows[i]); });
  const std::size_t n = rows.size();
  for (std::size_t step = 1; step <= std::min(kNeighbours, n / 2); ++step)
    for (std::size_t i = 0; i < n; ++i)
      if (2 * step < n || i < step) pairs_.push_back({i, (i + step) % n, 0, 0});  // halfway round, pairs come twice
  const auto compared = in_parallel(pairs_.size(), how, [&](std::uint64_t p) {
    const ArrivalOrder& one = *rows[pairs_[p].first];
    const ArrivalOrder& other = *rows[pairs_[p].second];
    return std::array{kendall_tau(one, other), between_correlation(one, other)};
  });
  for (std::size_t p = 0; p < compared.size(); ++p) {
    pairs_[p].tau = compared[p][0];
    pairs_[p].correlation = compared[p][1];
    all_tau_ += compared[p][0] / static_cast<double>(compared.size());
    all_correlation_ += compared[p][1] / static_cast<double>(compared.size());
  }
}

Features RecordedFeatures::mean(std::span<const double> weights) const {
  Features sum{};
  double weight = 0;
  for (std::size_t i = 0; i < of_row_.size(); ++i) {
    weight += weights[i];
    for (std::size_t f = 0; f < kFeatures; ++f) sum[f] += weights[i] * of_row_[i][f];
  }
  for (double& feature : sum) feature /= weight;
  double tau = 0;
  double between = 0;
  double pair_weight = 0;
  for (const Pair& pair : pairs_) {
    const double w = weights[pair.first] * weights[pair.second];
    tau += w * pair.tau;
    between += w * pair.correlation;
    pair_weight += w;
  }
  sum[kTauBetween] = pair_weight > 0 ? tau / pair_weight : all_tau_;
  sum[kBetween] = pair_weight > 0 ? between / pair_weight : all_correlation_;
  sum[kTauSd] = std::sqrt(tau_variance(weights));
  return sum;
}

// Half the mean squared difference of two different rows, over all pairs.
double RecordedFeatures::tau_variance(std::span<const double> weights) const {
  double weight = 0;
  double weight_squares = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const double tau = of_row_[i][kTauToLaunch] - of_row_[0][kTauToLaunch];
    weight += weights[i];
    weight_squares += weights[i] * weights[i];
    sum += weights[i] * tau;
    squares += weights[i] * tau * tau;
  }
  const double twice_pairs = weight * weight - weight_squares;
  if (!(twice_pairs > 0)) return tau_variance(std::vector<double>(rows_, 1.0));
  return std::max(0.0, (weight * squares - sum * sum) / twice_pairs);
}

Features RecordedFeatures::mean() const { return mean(std::vector<double>(rows_, 1.0)); }

std::vector<Features> simulate_units(const ArrivalCall& call, std::size_t m, std::uint64_t seed,
                                     std::uint64_t first_unit, std::uint64_t units, const SampleOptions& how) {
  const auto unit_features = [&](std::uint64_t i) {
    ArrivalOrder one(m);
    ArrivalOrder other(m);
    const std::uint64_t order = 2 * (first_unit + i);
    // Else all units would have the same steady part.
    const std::uint64_t key = call.model->steady ? DrawPath{.seed = seed, .output = first_unit + i}.key() : seed;
    call.model->draw(*call.arguments, RandomStream(key, streams::kFit, order), one);
    call.model->draw(*call.arguments, RandomStream(key, streams::kFit, order + 1), other);
    const Features a = row_features(one);
    const Features b = row_features(other);
    Features unit{};
    for (std::size_t f = 0; f < kFeatures; ++f) unit[f] = (a[f] + b[f]) / 2;
    unit[kTauBetween] = kendall_tau(one, other);
    unit[kBetween] = between_correlation(one, other);
    const double difference = a[kTauToLaunch] - b[kTauToLaunch];
    unit[kTauSd] = difference * difference / 2;
    return unit;
  };
  constexpr std::uint64_t kFewPositions = 1U << 16;  // a millisecond's work: waiting for another thread takes longer
  if (units * m > kFewPositions || how.stop.stop_requested()) return in_parallel(units, how, unit_features);
  std::vector<Features> list;
  for (std::uint64_t i = 0; i < units; ++i) list.push_back(unit_features(i));
  return list;
}

Features mean_of(std::span<const Features> units, std::span<const double> weights) {
  Features sum{};
  double weight = 0;
  for (std::size_t u = 0; u < units.size(); ++u) {
    weight += weights[u];
    for (std::size_t f = 0; f < kFeatures; ++f) sum[f] += weights[u] * units[u][f];
  }
  for (double& feature : sum) feature /= weight;
  sum[kTauSd] = std::sqrt(sum[kTauSd]);
  return sum;
}

Features mean_of(std::span<const Features> units) { return mean_of(units, std::vector<double>(units.size(), 1.0)); }

}  // namespace orderlab
