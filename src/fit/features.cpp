#include "fit/features.hpp"

#include <algorithm>
#include <cmath>

#include "engine/rounds.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

// A list of values by index, as sample_in_rounds merges them.
template <class T>
struct Listed {
  std::vector<T> values;

  void merge(const Listed& other) { values.insert(values.end(), other.values.begin(), other.values.end()); }
};

/// value(i) for i in 0 .. count-1, in parallel; fewer when stopped.
template <class T, class Value>
std::vector<T> in_parallel(std::uint64_t count, const SampleOptions& how, Value value) {
  SampleOptions options = how;
  options.begin = 0;
  options.end = count;
  return sample_in_rounds(
             options, [] { return Listed<T>(); },
             [&](std::uint64_t i, Listed<T>& list) { list.values.push_back(value(i)); })
      .values;
}

// Mean |position - launch index| of the launch indices from `begin` to before `end`.
double mean_distance(const ArrivalOrder& order, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (order[k] >= begin && order[k] < end) sum += std::fabs(static_cast<double>(k) - static_cast<double>(order[k]));
  return sum / static_cast<double>(end - begin);
}

Features row_features(const ArrivalOrder& order) {
  const auto [q5, q25, q75, q95] = displacement_quantiles(order);
  const std::size_t m = order.size();
  const std::size_t quarter = (m + 3) / 4;
  return {
      kendall_tau(order), 0, q5, q25, q75, q95, mean_distance(order, 0, quarter), mean_distance(order, m - quarter, m)};
}

}  // namespace

std::array<double, kDisplacementLevels.size()> displacement_quantiles(std::span<const std::uint32_t> order) {
  std::vector<std::int64_t> displacement(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    displacement[k] = static_cast<std::int64_t>(k) - static_cast<std::int64_t>(order[k]);
  std::array<double, kDisplacementLevels.size()> quantiles{};
  auto sorted_to = displacement.begin();
  for (std::size_t level = 0; level < quantiles.size(); ++level) {
    const double rank = std::ceil(kDisplacementLevels[level] * static_cast<double>(order.size()));
    const auto at = displacement.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
    std::nth_element(sorted_to, at, displacement.end());
    quantiles[level] = static_cast<double>(*at);
    sorted_to = at;
  }
  return quantiles;
}

RecordedFeatures::RecordedFeatures(const std::vector<const ArrivalOrder*>& rows, const SampleOptions& how)
    : rows_(rows.size()) {
  of_row_ = in_parallel<Features>(rows.size(), how, [&](std::uint64_t i) { return row_features(*rows[i]); });
  const std::size_t n = rows.size();
  for (std::size_t step = 1; step <= std::min(kNeighbours, n / 2); ++step)
    for (std::size_t i = 0; i < n; ++i)
      if (2 * step < n || i < step) pairs_.push_back({i, (i + step) % n, 0});  // halfway round, pairs come twice
  const auto taus = in_parallel<double>(pairs_.size(), how, [&](std::uint64_t p) {
    return kendall_tau(*rows[pairs_[p].first], *rows[pairs_[p].second]);
  });
  for (std::size_t p = 0; p < taus.size(); ++p) {
    pairs_[p].tau = taus[p];
    all_between_ += taus[p] / static_cast<double>(taus.size());
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
  double between = 0;
  double pair_weight = 0;
  for (const Pair& pair : pairs_) {
    const double w = weights[pair.first] * weights[pair.second];
    between += w * pair.tau;
    pair_weight += w;
  }
  sum[1] = pair_weight > 0 ? between / pair_weight : all_between_;
  return sum;
}

Features RecordedFeatures::mean() const { return mean(std::vector<double>(rows_, 1.0)); }

std::vector<Features> simulate_units(const ArrivalCall& call, std::size_t m, std::uint64_t seed,
                                     std::uint64_t first_unit, std::uint64_t units, const SampleOptions& how) {
  return in_parallel<Features>(units, how, [&](std::uint64_t i) {
    ArrivalOrder one(m);
    ArrivalOrder other(m);
    const std::uint64_t order = 2 * (first_unit + i);
    call.model->draw(*call.arguments, RandomStream(seed, streams::kFit, order), one);
    call.model->draw(*call.arguments, RandomStream(seed, streams::kFit, order + 1), other);
    const Features a = row_features(one);
    const Features b = row_features(other);
    Features unit{};
    for (std::size_t f = 0; f < kFeatures; ++f) unit[f] = (a[f] + b[f]) / 2;
    unit[1] = kendall_tau(one, other);
    return unit;
  });
}

Features mean_of(std::span<const Features> units) {
  Features sum{};
  for (const Features& unit : units)
    for (std::size_t f = 0; f < kFeatures; ++f) sum[f] += unit[f];
  for (double& feature : sum) feature /= static_cast<double>(units.size());
  return sum;
}

}  // namespace orderlab
