#include "orderlab/arrival_features.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "fit/bootstrap.hpp"
#include "fit/recordings.hpp"

using namespace orderlab;
using orderlab::test::record;
using orderlab::test::rows_of;

namespace {

using Tickets = std::vector<std::uint32_t>;

std::optional<double> named(const ArrivalFeatures& features, std::string_view name) {
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
    if (kArrivalFeatures[f].name == name) return features[f];
  FAIL("no feature ", std::string(name));
  return {};
}

/// d(i, b), as the header defines it.
std::vector<std::vector<double>> displacements_in(const Rows& recording) {
  std::vector<std::vector<double>> d;
  for (const Tickets& row : recording.rows) {
    d.emplace_back(row.size());
    for (std::size_t t = 0; t < row.size(); ++t)
      d.back()[row[t]] = static_cast<double>(t) - static_cast<double>(row[t]);
  }
  return d;
}

/// Means of values of magnitude up to `most`, of so many terms, in another order of additions.
double feature_rounding(std::size_t terms, double most) { return 8 * static_cast<double>(terms) * 0x1p-53 * most; }

const FeatureOptions kSmallGpu{.wave = {.sms = 6, .resident = 3}};

}  // namespace

TEST_CASE("features of orders are what their definitions say, term by term") {
  const std::size_t m = 123;  // no decile, and no twentieth, is a whole number of thread blocks
  const Rows recording = record("batches(6,20,5,0.5,0.3)", m, 7);
  const ArrivalFeatures features = arrival_features(rows_of(recording), kSmallGpu);
  const auto d = displacements_in(recording);
  const std::size_t runs = d.size();
  const double n = static_cast<double>(runs);

  std::vector<double> mean(m);
  for (std::size_t b = 0; b < m; ++b)
    for (const auto& run : d) mean[b] += run[b] / n;

  std::vector<double> scale(10);  // s of each decile
  for (std::size_t k = 0; k < 10; ++k) {
    std::vector<double> all;
    double squares = 0;
    for (std::size_t b = 0; b < m; ++b)
      if (10 * b / m == k)
        for (const auto& run : d) {
          all.push_back(run[b]);
          squares += (run[b] - mean[b]) * (run[b] - mean[b]);
        }
    const double count = static_cast<double>(all.size());
    scale[k] = std::sqrt(squares / count);
    const double middle = std::accumulate(all.begin(), all.end(), 0.0) / count;
    double around = 0;
    for (const double one : all) around += (one - middle) * (one - middle);
    const std::string name = "displacement_sd_" + std::to_string(k + 1);
    CHECK(std::fabs(named(features, name).value() - std::sqrt(around / count)) <= feature_rounding(all.size(), 1e3));
    if (k == 0) CHECK(std::fabs(named(features, "displacement_mean_1").value() - middle) <= feature_rounding(m, 1e3));
    if (k == 9) CHECK(std::fabs(named(features, "displacement_mean_10").value() - middle) <= feature_rounding(m, 1e3));
  }

  const auto z = [&](std::size_t i, std::size_t b) { return (d[i][b] - mean[b]) / scale[10 * b / m]; };
  const auto correlation = [&](std::size_t lag, std::size_t most) {
    double sum = 0;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < runs; ++i)
      for (std::size_t b = 0; b < most && b + lag < m; ++b, ++pairs) sum += z(i, b) * z(i, b + lag);
    return sum / static_cast<double>(pairs);
  };
  const auto check_lag = [&](std::string_view name, std::size_t lag, std::size_t most) {
    CAPTURE(name);
    CHECK(std::fabs(named(features, name).value() - correlation(lag, most)) <= feature_rounding(runs * m, 1));
  };
  check_lag("neighbours_1", 1, m);
  check_lag("neighbours_8", 8, m);
  CHECK(!named(features, "neighbours_40"));  // 4 * 40 > 123
  check_lag("same_sm_1", 6, m);
  check_lag("same_sm_2", 12, m);
  check_lag("first_wave_1", 6, 18);
  check_lag("first_wave_2", 12, 18);
  const std::vector<double> by_lag = correlations_by_lag(rows_of(recording), 12, kSmallGpu);
  for (const std::size_t lag : {1U, 6U, 12U})
    CHECK(std::fabs(by_lag[lag - 1] - correlation(lag, m)) <= feature_rounding(runs * m, 1));

  double adjacent = 0;
  for (const Tickets& row : recording.rows)
    for (std::size_t t = 0; t < 18; ++t) adjacent += row[t] % 6 == row[t + 1] % 6 ? 1 : 0;
  CHECK(std::fabs(named(features, "adjacent_sm").value() - adjacent / (18 * n)) <= feature_rounding(runs, 1));

  std::vector<double> pooled;
  for (const auto& run : d) pooled.insert(pooled.end(), run.begin(), run.end());
  // Of how many displacements are less than x, and half of those that are x.
  const auto middle_rank = [&](double x) {
    double rank = 0;
    for (const double one : pooled) rank += one < x ? 1 : one == x ? 0.5 : 0;
    return rank;
  };
  std::sort(pooled.begin(), pooled.end());
  for (const auto& [name, level] : {std::pair("displacement_q1", 0.01), std::pair("displacement_q5", 0.05),
                                    std::pair("displacement_q50", 0.5), std::pair("displacement_q99", 0.99)}) {
    const double quantile = named(features, name).value();
    const double above = *std::lower_bound(pooled.begin(), pooled.end(), quantile - 1e-9);
    const double below = *std::prev(std::lower_bound(pooled.begin(), pooled.end(), above));
    const double share = (quantile - below) / (above - below);
    const double rank = (1 - share) * middle_rank(below) + share * middle_rank(above);
    CHECK(std::fabs(rank - level * static_cast<double>(pooled.size())) <= feature_rounding(pooled.size(), 1e3));
  }

  double persistent = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    double of_means = 0, within = 0, middle = 0, count = 0;
    for (std::size_t b = 0; b < m; ++b)
      if (20 * b / m == k) {
        middle += mean[b];
        ++count;
      }
    middle /= count;
    for (std::size_t b = 0; b < m; ++b)
      if (20 * b / m == k) {
        of_means += (mean[b] - middle) * (mean[b] - middle) / count;
        for (const auto& run : d) within += (run[b] - mean[b]) * (run[b] - mean[b]) / (count * (n - 1));
      }
    persistent += (of_means - within / n) / (of_means + within * (n - 1) / n) / 20;
  }
  CHECK(std::fabs(named(features, "persistent").value() - persistent) <= feature_rounding(runs * m, 10));

  double between = 0;
  for (std::size_t i = 0; i < runs; ++i) between += kendall_tau(recording.rows[i], recording.rows[(i + 1) % runs]) / n;
  CHECK(std::fabs(named(features, "tau_between").value() - between) <= feature_rounding(runs, 1));
}

TEST_CASE("launch order has no displacement, and features that compare runs need two") {
  const Rows launch = record("launch", 200, 3);
  const ArrivalFeatures features = arrival_features(rows_of(launch), kSmallGpu);
  CHECK(named(features, "tau_to_launch") == 1);
  CHECK(named(features, "tau_sd") == 0);
  CHECK(named(features, "displacement_sd_5") == 0);
  CHECK(named(features, "displacement_q99") == 0);
  CHECK(named(features, "neighbours_1") == 0);
  CHECK(!named(features, "persistent"));
  CHECK(named(features, "adjacent_sm") == 0);
  const Rows one = record("jitter(9)", 200, 1);
  const ArrivalFeatures alone = arrival_features(rows_of(one), kSmallGpu);
  CHECK(named(alone, "displacement_sd_5").value() > 0);
  for (const char* name : {"tau_between", "tau_sd", "neighbours_1", "first_wave_1", "persistent"}) {
    CAPTURE(name);
    CHECK(!named(alone, name));
  }
}

TEST_CASE("a launch that is shorter than the first wave has no features of it") {
  const Rows recording = record("jitter(9)", 200, 3);
  const ArrivalFeatures features =
      arrival_features(rows_of(recording), {.wave = {.sms = 6, .resident = 40}});  // 240 thread blocks
  for (const char* name : {"first_wave_1", "first_wave_2", "adjacent_sm"}) CHECK(!named(features, name));
  CHECK(named(features, "same_sm_2").has_value());
}

TEST_CASE("what a thread block keeps in all runs is persistent, and what it does not keep is not") {
  const auto share = [](const std::string& model) {
    return named(arrival_features(rows_of(record(model, 2000, 20)), {}), "persistent").value();
  };
  // 2000 thread blocks of 20 runs: an unbiased share of 0 is known to about 1 / sqrt(2000 * 20 / 2); five of these.
  // What the steady part keeps of the displacements is near its share of the delays, but positions are ranks: 5 %.
  CHECK(std::fabs(share("jitter(20)")) <= 5 / std::sqrt(20000.0));
  CHECK(std::fabs(share("steady(jitter(20),0.5)") - 0.5) <= 0.05);
}

TEST_CASE("blocks of successive runs are drawn, all together as many runs as there are") {
  CHECK(bootstrap_block_length(1) == 1);
  CHECK(bootstrap_block_length(8) == 2);
  CHECK(bootstrap_block_length(49) == 4);
  CHECK(bootstrap_block_length(64) == 4);
  CHECK(bootstrap_block_length(65) == 5);
  std::vector<double> sum(10, 0);
  std::size_t pairs = 0;
  for (std::uint64_t b = 0; b < 1000; ++b) {
    const std::vector<double> weights = block_bootstrap_weights(10, 3, 1, b);
    CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == 10);
    for (std::size_t i = 0; i < 10; ++i) {
      sum[i] += weights[i];
      pairs += weights[i] > 0 && weights[(i + 1) % 10] == 0 ? 1U : 0U;  // ends of blocks
    }
  }
  CHECK(pairs <= 4 * 1000);  // four blocks each, the last one cut
  // A run is in a block with probability 3 / 10, in the cut one with 1 / 10: variance 3 * 0.21 + 0.09; 5 sd.
  for (const double s : sum) CHECK(std::fabs(s - 1000) <= 5 * std::sqrt(1000 * (3 * 0.21 + 0.09)));
  CHECK(block_bootstrap_weights(10, 1, 1, 5) == bootstrap_weights(10, 1, 5));
}

TEST_CASE("a model is as far from its own recording as resampled rows are, and another one is farther") {
  const Rows recording = record("batches(9,30,16,0.5,0.3)", 400, 30);
  const RecordedArrivals recorded = recorded_arrivals(rows_of(recording), 1, kSmallGpu);
  CHECK(recorded.block_length == 4);
  REQUIRE(recorded.floor.size() == recorded.replicates.size());
  const auto distance = [&](const std::string& model) {
    const Rows drawn = record(model, 400, 60, 5);
    return misfit(standardised(arrival_features(rows_of(drawn), kSmallGpu), recorded)).value();
  };
  // The model's own 60 runs add half the variance of the 30 recorded ones, and a bootstrap of blocks finds errors of 30
  // runs up to a third too small.
  CHECK(distance("batches(9,30,16,0.5,0.3)") <= 1.5 * 1.23 * recorded.floor.back());
  CHECK(distance("drift(9,30)") > 3 * recorded.floor.back());
  CHECK(misfit(standardised(recorded.features, recorded)) == 0);
  REQUIRE(recorded.halves.has_value());
  CHECK(*recorded.halves < 2);  // the halves share nothing
  CHECK(misfit(ArrivalFeatures{}) == std::nullopt);
}

TEST_CASE("features and errors do not depend on threads") {
  const Rows recording = record("drift(9,30)", 300, 12);
  const auto with = [&](int threads) {
    FeatureOptions options = kSmallGpu;
    options.threads = threads;
    return recorded_arrivals(rows_of(recording), 3, options);
  };
  const RecordedArrivals one = with(1);
  const RecordedArrivals two = with(2);
  CHECK(one.features == two.features);
  CHECK(one.errors == two.errors);
  CHECK(one.floor == two.floor);
  CHECK(recorded_arrivals(rows_of(recording), 4, kSmallGpu).errors != one.errors);
}
