// How often comparisons of equal models show a difference, how often their intervals hold the true one, and whether the
// planned runs have the power that they are planned for.
#include "orderlab/study/compare.hpp"

#include <doctest/doctest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "metrics/mean_difference.hpp"
#include "metrics/randomization.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

constexpr std::uint64_t kComparisons = 1000;
constexpr double kLevel = study::kCompareLevel;

/// Scores of both models in one experiment, of the same distribution.
struct NullScores {
  Scores a;
  Scores b;
};

NullScores draw_null(const std::string& distribution, std::size_t n_a, std::size_t n_b, std::uint64_t experiment) {
  const Terms drawn = generate_terms(distribution, n_a + n_b, Format::fp64, 9000 + experiment);
  NullScores scores;
  for (std::size_t i = 0; i < n_a + n_b; ++i) (i < n_a ? scores.a : scores.b).values.push_back(drawn.view().left(i));
  return scores;
}

// Beyond these counts a binomial with that probability lies once in 10^4 on either side.
constexpr double kRareTail = 1e-4;

double most_of(double probability) {
  return quantile(complement(boost::math::binomial_distribution<double>(kComparisons, probability), kRareTail));
}

double least_of(double probability) {
  return quantile(boost::math::binomial_distribution<double>(kComparisons, probability), kRareTail);
}

double percent(std::uint64_t count) { return 100.0 * static_cast<double>(count) / kComparisons; }

struct Rates {
  std::uint64_t t = 0;
  std::uint64_t permutation = 0;
};

Rates false_rates(const std::string& distribution, std::size_t n_a, std::size_t n_b, bool paired) {
  Rates rates;
  for (std::uint64_t e = 0; e < kComparisons; ++e) {
    const NullScores scores = draw_null(distribution, n_a, n_b, e);
    std::vector<double> d;
    for (std::size_t i = 0; paired && i < n_a; ++i) d.push_back(scores.a.values[i] - scores.b.values[i]);
    const MeanDifference found =
        paired ? one_sample_difference(Moments(d), study::kCompareConfidence)
               : welch_difference(Moments(scores.a.values), Moments(scores.b.values), study::kCompareConfidence);
    const RandomizationTest randomized = paired ? sign_flip_test(scores.a.values, scores.b.values, e)
                                                : permutation_test(scores.a.values, scores.b.values, e);
    if (*found.p < kLevel) ++rates.t;
    if (randomized.p < kLevel) ++rates.permutation;
  }
  MESSAGE(distribution << ", " << n_a << " and " << n_b << std::string(paired ? " in pairs" : "") << ": t "
                       << percent(rates.t) << " %, permutation " << percent(rates.permutation) << " %");
  return rates;
}

/// Share of experiments that show a difference of `d`, the right way round, with `n` normal scores of each model.
std::uint64_t shown_with(std::size_t n, double d, double sd_a, double sd_b, bool paired) {
  std::uint64_t shown = 0;
  for (std::uint64_t e = 0; e < kComparisons; ++e) {
    NullScores scores = draw_null("normal(0,1)", n, n, 50'000 + e);
    for (double& x : scores.a.values) x = d + sd_a * x;
    for (double& x : scores.b.values) x *= sd_b;
    MeanDifference found;
    if (paired) {
      for (std::size_t i = 0; i < n; ++i) scores.a.values[i] -= scores.b.values[i];
      found = one_sample_difference(Moments(scores.a.values), study::kCompareConfidence);
    } else {
      found = welch_difference(Moments(scores.a.values), Moments(scores.b.values), study::kCompareConfidence);
    }
    if (*found.p < kLevel && found.difference > 0) ++shown;
  }
  return shown;
}

}  // namespace

TEST_CASE("equal models are shown to differ no more often than the level says") {
  for (const char* distribution : {"normal(0,1)", "exponential(1)", "lognormal(0,1)"}) {
    for (const std::size_t n : {std::size_t{5}, std::size_t{8}}) {
      const Rates rates = false_rates(distribution, n, n, false);
      CHECK(static_cast<double>(rates.t) <= most_of(kLevel));
      CHECK(static_cast<double>(rates.permutation) <= most_of(kLevel));
    }
    const Rates pairs = false_rates(distribution, 10, 10, true);
    CHECK(static_cast<double>(pairs.t) <= most_of(kLevel));
    CHECK(static_cast<double>(pairs.permutation) <= most_of(kLevel));
  }
  CHECK(static_cast<double>(false_rates("normal(0,1)", 30, 30, true).t) >= least_of(kLevel));  // exact; signs are drawn
  CHECK(static_cast<double>(false_rates("lognormal(0,1)", 12, 13, false).permutation) <= most_of(kLevel));  // drawn
}

TEST_CASE("with unequal numbers of runs the permutation test keeps its level, Welch's only of normal scores") {
  const Rates normal = false_rates("normal(0,1)", 6, 12, false);
  CHECK(static_cast<double>(normal.t) <= most_of(0.055));  // its degrees of freedom are an approximation
  CHECK(static_cast<double>(normal.permutation) <= most_of(kLevel));
  const Rates skewed = false_rates("exponential(1)", 6, 12, false);
  CHECK(static_cast<double>(skewed.permutation) <= most_of(kLevel));
}

TEST_CASE("the interval of the difference holds it in 95 % of experiments, also where variances differ") {
  for (const double sd_b : {1.0, 3.0}) {
    std::uint64_t held = 0;
    for (std::uint64_t e = 0; e < kComparisons; ++e) {
      NullScores scores = draw_null("normal(0,1)", 10, 8, 100'000 + e);
      for (double& x : scores.b.values) x = 0.7 + sd_b * x;
      const MeanDifference found =
          welch_difference(Moments(scores.a.values), Moments(scores.b.values), study::kCompareConfidence);
      if (*found.low <= -0.7 && -0.7 <= *found.high) ++held;
    }
    MESSAGE("sd " << sd_b << ": the interval holds the difference in " << percent(held) << " %");
    CHECK(static_cast<double>(held) >= least_of(0.945));
    CHECK(static_cast<double>(held) <= most_of(0.96));
  }
}

TEST_CASE("planned runs have the power that they are planned for") {
  struct {
    double d, sd_a, sd_b, power;
    bool paired;
  } const plans[] = {{3, 1, 1, 0.8, false},   {2, 1, 1, 0.8, false},     {1, 1, 1, 0.8, false},
                     {0.5, 1, 1, 0.9, false}, {1.5, 0.5, 2, 0.8, false}, {2.5, 1, 1, 0.8, true},
                     {1, 1, 1, 0.8, true},    {0.7, 1, 0.5, 0.95, true}};
  for (const auto& [d, sd_a, sd_b, power, paired] : plans) {
    const double variance = sd_a * sd_a + sd_b * sd_b;
    const auto power_of = [&, d = d, sd_a = sd_a, sd_b = sd_b, paired = paired](double n) {
      return paired ? paired_power(d, {n, std::sqrt(variance)}, kLevel) : welch_power(d, {n, sd_a}, {n, sd_b}, kLevel);
    };
    const std::uint64_t runs = *least_runs(power_of, power, normal_runs(d, variance, power, kLevel));
    const std::uint64_t shown = shown_with(runs, d, sd_a, sd_b, paired);
    const double stated = power_of(static_cast<double>(runs));
    MESSAGE("d = " << d << ", sd " << sd_a << " and " << sd_b << std::string(paired ? ", pairs" : "") << ": " << runs
                   << " runs, power stated " << 100 * stated << " %, asked " << 100 * power << " %, shown in "
                   << percent(shown) << " %");
    CHECK(static_cast<double>(shown) >= least_of(power));
    CHECK(static_cast<double>(shown) >= least_of(stated - 0.002));  // the error of welch_power
    CHECK(static_cast<double>(shown) <= most_of(stated + 0.002));
  }
}
