#include "fit/feature_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/stop.hpp"
#include "engine/rounds.hpp"
#include "fit/features.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kDeciles = 10;
constexpr std::size_t kGridParts = 20;  // in which the mean path is taken as constant

constexpr std::size_t kTauToLaunchPlace = feature_named("tau_to_launch");
constexpr std::size_t kTauBetweenPlace = feature_named("tau_between");
constexpr std::size_t kTauSdPlace = feature_named("tau_sd");
constexpr std::size_t kFirstSpread = feature_named("displacement_sd_1");
constexpr std::size_t kFirstMean = feature_named("displacement_mean_1");
constexpr std::size_t kLastMean = feature_named("displacement_mean_10");
constexpr std::size_t kFirstQuantile = feature_named("displacement_q1");
constexpr std::size_t kFirstLag = feature_named("neighbours_1");
constexpr std::size_t kFirstWaveLag = feature_named("first_wave_1");
constexpr std::size_t kAdjacent = feature_named("adjacent_sm");
constexpr std::size_t kPersistent = feature_named("persistent");
constexpr double kPooledLevels[] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
static_assert(kFirstSpread + kDeciles == kFirstMean && kFirstQuantile + std::size(kPooledLevels) == kFirstLag);
static_assert(kPersistent + 1 == kArrivalFeatureCount);

/// Whether a grid of m thread blocks is long enough for a lag.
bool has_lag(std::size_t m, std::size_t lag) { return 4 * lag <= m; }

/// Where part k of `parts` of a grid of m begins: floor(parts b / m) = k from there on.
std::size_t part_begin(std::size_t m, std::size_t parts, std::size_t k) { return (k * m + parts - 1) / parts; }

double mean_over(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_over(std::span<const double> values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size());
}

double sum_of_products(std::span<const double> x, std::size_t lag, std::size_t end) {
  double sum = 0;
  for (std::size_t b = 0; b < end; ++b) sum += x[b] * x[b + lag];
  return sum;
}

double share_of_adjacent(const std::vector<std::uint32_t>& order, const FirstWave& wave) {
  const std::size_t tickets = std::min<std::size_t>(wave.blocks(), order.size() - 1);
  std::size_t adjacent = 0;
  for (std::size_t t = 0; t < tickets; ++t)
    if (order[t] % wave.sms == order[t + 1] % wave.sms) ++adjacent;
  return static_cast<double>(adjacent) / static_cast<double>(tickets);
}

}  // namespace

FeatureRows::FeatureRows(ArrivalRows rows, const FeatureOptions& options, Taus taus)
    : runs_(rows.size()),
      blocks_(rows.front()->size()),
      wave_(options.wave),
      displacements_(runs_ * blocks_),
      tau_(runs_),
      tau_next_(runs_),
      adjacent_(runs_) {
  SampleOptions how{.begin = 0, .end = runs_, .threads = options.threads, .stop = options.stop};
  each_in_rounds(how, [&](std::uint64_t i) {
    const std::vector<std::uint32_t>& order = *rows[i];
    const auto out = std::span(displacements_).subspan(i * blocks_, blocks_);
    for (std::size_t t = 0; t < blocks_; ++t)
      out[order[t]] = static_cast<std::int32_t>(static_cast<std::int64_t>(t) - static_cast<std::int64_t>(order[t]));
    if (taus == Taus::left_out) return;
    tau_[i] = kendall_tau(order);
    if (runs_ > 1) tau_next_[i] = kendall_tau(order, *rows[(i + 1) % runs_]);
    adjacent_[i] = share_of_adjacent(order, wave_);
  });
  if (options.stop.stop_requested()) throw Stopped{};
}

FeatureRows::Blocks FeatureRows::blocks_of(std::span<const double> weights, double weight) const {
  Blocks blocks{std::vector<double>(blocks_), std::vector<double>(blocks_), std::vector<double>(blocks_)};
  for (std::size_t i = 0; i < runs_; ++i) {
    if (weights[i] == 0) continue;
    const std::span<const std::int32_t> d = displacements_of(i);
    for (std::size_t b = 0; b < blocks_; ++b) blocks.mean[b] += weights[i] * d[b];
  }
  for (double& mean : blocks.mean) mean /= weight;
  for (std::size_t i = 0; i < runs_; ++i) {
    if (weights[i] == 0) continue;
    const std::span<const std::int32_t> d = displacements_of(i);
    for (std::size_t b = 0; b < blocks_; ++b) {
      const double deviation = d[b] - blocks.mean[b];
      blocks.variance[b] += weights[i] * (deviation * deviation);
    }
  }
  for (double& variance : blocks.variance) variance /= weight;
  for (std::size_t k = 0; k < kDeciles; ++k) {
    const std::size_t begin = part_begin(blocks_, kDeciles, k);
    const std::size_t end = part_begin(blocks_, kDeciles, k + 1);
    const double square = mean_over(std::span(blocks.variance).subspan(begin, end - begin));
    for (std::size_t b = begin; b < end; ++b) blocks.inverse[b] = square > 0 ? 1 / std::sqrt(square) : 0;
  }
  return blocks;
}

void FeatureRows::set_spreads(const Blocks& blocks, ArrivalFeatures& features) const {
  for (std::size_t k = 0; k < kDeciles; ++k) {
    const std::size_t begin = part_begin(blocks_, kDeciles, k);
    const std::size_t count = part_begin(blocks_, kDeciles, k + 1) - begin;
    const auto means = std::span(blocks.mean).subspan(begin, count);
    const double mean = mean_over(means);
    const double within = mean_over(std::span(blocks.variance).subspan(begin, count));
    features[kFirstSpread + k] = std::sqrt(within + variance_over(means, mean));
    if (k == 0) features[kFirstMean] = mean;
    if (k + 1 == kDeciles) features[kLastMean] = mean;
  }
}

void FeatureRows::set_quantiles(std::span<const double> weights, double weight, ArrivalFeatures& features) const {
  std::vector<double> counts(2 * blocks_);  // of each displacement + blocks_; displacements are above -blocks_
  for (std::size_t i = 0; i < runs_; ++i) {
    if (weights[i] == 0) continue;
    for (const std::int32_t d : displacements_of(i)) counts[static_cast<std::size_t>(d) + blocks_] += weights[i];
  }
  const double all = weight * static_cast<double>(blocks_);
  std::size_t level = 0;
  double below = 0;  // displacements less than that of `place`
  double last_middle = 0;
  double last = 0;
  bool first = true;
  for (std::size_t place = 0; place < counts.size(); ++place) {
    if (counts[place] == 0) continue;
    const double middle = below + counts[place] / 2;
    const double here = static_cast<double>(place) - static_cast<double>(blocks_);
    for (; level < std::size(kPooledLevels) && kPooledLevels[level] * all <= middle; ++level) {
      const double rank = kPooledLevels[level] * all;
      features[kFirstQuantile + level] =
          first ? here : last + (here - last) * (rank - last_middle) / (middle - last_middle);
    }
    below += counts[place];
    last_middle = middle;
    last = here;
    first = false;
  }
  for (; level < std::size(kPooledLevels); ++level) features[kFirstQuantile + level] = last;
}

std::vector<double> FeatureRows::standardised_run(const Blocks& blocks, std::size_t run) const {
  const std::span<const std::int32_t> d = displacements_of(run);
  std::vector<double> x(blocks_);
  for (std::size_t b = 0; b < blocks_; ++b) x[b] = (d[b] - blocks.mean[b]) * blocks.inverse[b];
  return x;
}

void FeatureRows::set_correlations(const Blocks& blocks, std::span<const double> weights, double weight,
                                   ArrivalFeatures& features) const {
  const std::size_t first_wave = wave_.blocks();
  const std::size_t sms = wave_.sms;
  struct Lagged {
    std::size_t feature, lag, end;
    double sum = 0;
  };
  std::vector<Lagged> list;
  const auto add = [&](std::size_t feature, std::size_t lag, std::size_t most) {
    if (has_lag(blocks_, lag)) list.push_back({feature, lag, std::min(most, blocks_ - lag)});
  };
  std::size_t feature = kFirstLag;
  for (const std::size_t lag : {std::size_t{1}, std::size_t{8}, std::size_t{40}, sms, 2 * sms})
    add(feature++, lag, blocks_);
  if (first_wave <= blocks_) {
    add(kFirstWaveLag, sms, first_wave);
    add(kFirstWaveLag + 1, 2 * sms, first_wave);
  }
  for (std::size_t i = 0; i < runs_; ++i) {
    if (weights[i] == 0) continue;
    const std::vector<double> x = standardised_run(blocks, i);
    for (Lagged& one : list) one.sum += weights[i] * sum_of_products(x, one.lag, one.end);
  }
  for (const Lagged& one : list) features[one.feature] = one.sum / (weight * static_cast<double>(one.end));
}

std::optional<double> FeatureRows::persistent_share(const Blocks& blocks, double repeats) const {
  double share = 0;
  for (std::size_t k = 0; k < kGridParts; ++k) {
    const std::size_t begin = part_begin(blocks_, kGridParts, k);
    const std::size_t count = part_begin(blocks_, kGridParts, k + 1) - begin;
    const auto means = std::span(blocks.mean).subspan(begin, count);
    const double of_means = variance_over(means, mean_over(means));
    const double within = mean_over(std::span(blocks.variance).subspan(begin, count));
    if (!(of_means + within > 0)) return std::nullopt;
    share += (of_means - within * repeats / (1 - repeats)) / (of_means + within);
  }
  return share / static_cast<double>(kGridParts);
}

ArrivalFeatures FeatureRows::weighted(std::span<const double> weights) const {
  ArrivalFeatures features;
  double weight = 0;
  double squares = 0;
  double tau = 0;
  double between = 0;
  double adjacent = 0;
  for (std::size_t i = 0; i < runs_; ++i) {
    weight += weights[i];
    squares += weights[i] * weights[i];
    tau += weights[i] * tau_[i];
    between += weights[i] * tau_next_[i];
    adjacent += weights[i] * adjacent_[i];
  }
  tau /= weight;
  features[kTauToLaunchPlace] = tau;
  if (wave_.blocks() <= blocks_) features[kAdjacent] = adjacent / weight;
  const Blocks blocks = blocks_of(weights, weight);
  stop_point();
  set_spreads(blocks, features);
  set_quantiles(weights, weight, features);
  const double free = weight - squares / weight;  // n - 1 for n runs that count once
  if (!(free > 0)) return features;
  features[kTauBetweenPlace] = between / weight;
  double tau_squares = 0;
  for (std::size_t i = 0; i < runs_; ++i) tau_squares += weights[i] * ((tau_[i] - tau) * (tau_[i] - tau));
  features[kTauSdPlace] = std::sqrt(tau_squares / free);
  stop_point();
  set_correlations(blocks, weights, weight, features);
  features[kPersistent] = persistent_share(blocks, squares / (weight * weight));
  return features;
}

std::vector<double> FeatureRows::correlations(std::size_t most) const {
  const std::vector<double> once(runs_, 1.0);
  const Blocks blocks = blocks_of(once, static_cast<double>(runs_));
  std::vector<double> found(most);
  for (std::size_t i = 0; i < runs_; ++i) {
    const std::vector<double> x = standardised_run(blocks, i);
    for (std::size_t lag = 1; lag <= most; ++lag) {
      stop_point();
      found[lag - 1] += sum_of_products(x, lag, blocks_ - lag);
    }
  }
  for (std::size_t lag = 1; lag <= most; ++lag)
    found[lag - 1] /= static_cast<double>(runs_) * static_cast<double>(blocks_ - lag);
  return found;
}

}  // namespace orderlab
