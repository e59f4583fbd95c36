#include "metrics/goodness_of_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "vectors/permutation.hpp"

using namespace orderlab;

namespace {

using Counts = std::vector<std::uint64_t>;

// A simulated p-value (1 + X) / (M + 1), X ~ Bin(M, p): six standard deviations, exceeded once in 5e8 seeds, and the 1.
void check_near(std::optional<double> simulated, double exact, std::uint64_t simulations = 9999) {
  REQUIRE(simulated.has_value());
  CAPTURE(*simulated);
  CAPTURE(exact);
  const double m = static_cast<double>(simulations);
  CHECK(std::fabs(*simulated - exact) <= 6 * std::sqrt(exact * (1 - exact) / m) + 1 / m);
}

// All tables of n draws in three cells: P(G of a table >= G of `observed`), ties by a relative 1e-12 of long doubles.
double exact_multinomial_p(const Counts& observed, const std::vector<double>& p) {
  const std::uint64_t n = observed[0] + observed[1] + observed[2];
  const auto g = [&](const Counts& c) {
    long double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      if (c[i] > 0) sum += c[i] * std::log(c[i] / (static_cast<long double>(n) * p[i]));
    return sum;
  };
  long double total = 0;
  for (std::uint64_t a = 0; a <= n; ++a)
    for (std::uint64_t b = 0; a + b <= n; ++b) {
      const Counts c{a, b, n - a - b};
      if (g(c) < g(observed) - 1e-12L) continue;
      long double probability = std::tgamma(static_cast<long double>(n) + 1);
      for (std::size_t i = 0; i < 3; ++i)
        probability *= std::pow(static_cast<long double>(p[i]), c[i]) / std::tgamma(c[i] + 1.0L);
      total += probability;
    }
  return static_cast<double>(total);
}

// P(largest |F1 - F2| >= the observed one) over all ways to choose who is in the first sample; as integers.
double exact_two_sample_p(const std::vector<TwoSampleCount>& values) {
  std::vector<std::size_t> pool;
  std::vector<bool> first;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::uint64_t k = 0; k < values[i].first + values[i].second; ++k) {
      pool.push_back(i);
      first.push_back(k < values[i].first);
    }
  const auto n1 = static_cast<std::int64_t>(std::count(first.begin(), first.end(), true));
  const auto n2 = static_cast<std::int64_t>(first.size()) - n1;
  const auto distance = [&](std::uint64_t members) {
    std::int64_t largest = 0;
    for (std::size_t value = 0; value < values.size(); ++value) {
      std::int64_t below1 = 0;
      std::int64_t below2 = 0;
      for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[i] <= value) ++((members >> i) & 1 ? below1 : below2);
      largest = std::max(largest, std::abs(below1 * n2 - below2 * n1));
    }
    return largest;
  };
  std::uint64_t observed = 0;
  for (std::size_t i = 0; i < first.size(); ++i) observed |= std::uint64_t{first[i]} << i;
  int all = 0;
  int extreme = 0;
  for (std::uint64_t members = 0; members < std::uint64_t{1} << pool.size(); ++members) {
    if (std::popcount(members) != n1) continue;
    ++all;
    if (distance(members) >= distance(observed)) ++extreme;
  }
  return static_cast<double>(extreme) / all;
}

// Draws of a test that is none of the code's own streams.
WordReader words(std::uint64_t trial) { return WordReader(RandomStream(77, 1000, trial)); }

}  // namespace

TEST_CASE("the multinomial p-value is that of all tables") {
  const std::vector<double> uneven{0.7, 0.2, 0.1};
  const std::vector<double> thirds{1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (const std::vector<double>& p : {uneven, thirds})
    for (const Counts& counts : {Counts{4, 0, 0}, Counts{0, 4, 0}, Counts{0, 1, 3}, Counts{2, 1, 1}, Counts{1, 2, 3},
                                 Counts{12, 0, 0}, Counts{1, 0, 11}, Counts{7, 4, 1}})
      check_near(multinomial_p(counts, p, {}), exact_multinomial_p(counts, p));
}

TEST_CASE("tables that are equally likely are ties, whatever the roundings of their statistic") {
  // 3 of 3 in one of 3 cells: 3 of 27 tables; 1 each: all 27
  const std::vector<double> thirds{1.0 / 3, 1.0 / 3, 1.0 / 3};
  check_near(multinomial_p(Counts{0, 3, 0}, thirds, {}), 1.0 / 9);
  CHECK(multinomial_p(Counts{1, 1, 1}, thirds, {}) == 1.0);
  CHECK(multinomial_p(Counts{5}, std::vector<double>{1.0}, {}) == 1.0);
}

TEST_CASE("a cell of probability 0 that nothing fell into changes no p-value") {
  const auto with = multinomial_p(Counts{6, 0, 2, 0}, std::vector<double>{0.5, 0, 0.5, 0}, {});
  const auto without = multinomial_p(Counts{6, 2}, std::vector<double>{0.5, 0.5}, {});
  REQUIRE(with.has_value());
  CHECK(*with == *without);
}

TEST_CASE("the two-sample p-value is that of all permutations, with ties too") {
  using Values = std::vector<TwoSampleCount>;
  for (const Values& values :
       {Values{{3, 0}, {0, 3}}, Values{{0, 4}, {3, 0}}, Values{{1, 2}, {2, 1}, {0, 3}}, Values{{2, 2}, {2, 2}},
        Values{{1, 0}, {0, 1}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {0, 1}, {0, 1}}, Values{{0, 1}, {5, 0}, {0, 7}},
        Values{{1, 6}, {1, 1}, {4, 0}}})
    check_near(two_sample_p(values, {}), exact_two_sample_p(values));
}

TEST_CASE("two samples that are swapped have the same p-value") {
  const std::vector<TwoSampleCount> values{{3, 20}, {1, 1}, {9, 30}, {2, 0}, {0, 8}};
  std::vector<TwoSampleCount> swapped;
  for (const TwoSampleCount& v : values) swapped.push_back({v.second, v.first});
  const auto p = two_sample_p(values, {});
  REQUIRE(p.has_value());
  CHECK(*p == *two_sample_p(swapped, {}));
}

TEST_CASE("p-values of true models are uniform: no more alarms than asked for, and no fewer") {
  // #{p <= a} ~ Bin(600, a) for a continuous statistic: six standard deviations. Two-sample distances have ties and may
  // only alarm less often.
  constexpr std::uint64_t kTrials = 600;
  int multinomial_tenth = 0;
  int multinomial_half = 0;
  int two_sample_tenth = 0;
  int two_sample_half = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    SimulationOptions options{.seed = trial, .simulations = 199};
    WordReader reader = words(trial);
    Counts counts(30);
    std::vector<double> probabilities;
    for (std::uint32_t i = 0; i < 30; ++i) probabilities.push_back((i + 1) / 465.0);  // 1 + ... + 30
    for (std::uint64_t j = 0; j < 60; ++j) {
      std::uint32_t left = reader.below(465, j);
      std::size_t cell = 0;
      for (; left >= cell + 1; ++cell) left -= static_cast<std::uint32_t>(cell + 1);
      ++counts[cell];
    }
    const double p = *multinomial_p(counts, probabilities, options);
    multinomial_tenth += p <= 0.1 ? 1 : 0;
    multinomial_half += p <= 0.5 ? 1 : 0;

    std::vector<TwoSampleCount> values(1000);
    for (std::uint64_t j = 0; j < 40; ++j) ++values[reader.below(1000, 100 + j)].first;
    for (std::uint64_t j = 0; j < 500; ++j) ++values[reader.below(1000, 200 + j)].second;
    const double q = *two_sample_p(values, options);
    two_sample_tenth += q <= 0.1 ? 1 : 0;
    two_sample_half += q <= 0.5 ? 1 : 0;
  }
  CAPTURE(multinomial_tenth);
  CAPTURE(multinomial_half);
  CAPTURE(two_sample_tenth);
  CAPTURE(two_sample_half);
  const double sd_tenth = std::sqrt(600 * 0.1 * 0.9);
  const double sd_half = std::sqrt(600 * 0.5 * 0.5);
  CHECK(std::fabs(multinomial_tenth - 60) <= 6 * sd_tenth);
  CHECK(std::fabs(multinomial_half - 300) <= 6 * sd_half);
  CHECK(two_sample_tenth <= 60 + 6 * sd_tenth);
  CHECK(two_sample_half <= 300 + 6 * sd_half);
  CHECK(two_sample_half >= 300 - 12 * sd_half);  // half of them would be an idle test
}

TEST_CASE("wrong frequencies are found") {
  CHECK(*multinomial_p(Counts{60, 40}, std::vector<double>{0.5, 0.5}, {}) > 0.01);   // two standard deviations
  CHECK(*multinomial_p(Counts{75, 25}, std::vector<double>{0.5, 0.5}, {}) <= 2e-4);  // five
  CHECK(*multinomial_p(Counts{98, 2}, std::vector<double>{0.9999, 0.0001}, {}) <= 1e-3);
  // F1 - F2 = 0.3 of 200 against 2000: exp(-2 * 0.3^2 * 182) = 6e-15
  CHECK(*two_sample_p(std::vector<TwoSampleCount>{{160, 1000}, {40, 1000}}, {}) == 1e-4);
  CHECK(*two_sample_p(std::vector<TwoSampleCount>{{100, 1000}, {100, 1000}}, {}) == 1.0);
}

TEST_CASE("a p-value depends on the seed and the simulations alone, and is never 0") {
  const std::vector<TwoSampleCount> values{{3, 20}, {1, 1}, {9, 30}};
  const std::vector<double> probabilities{0.5, 0.25, 0.25};
  const Counts counts{3, 5, 4};
  CHECK(*two_sample_p(values, {.seed = 5}) == *two_sample_p(values, {.seed = 5}));
  CHECK(*two_sample_p(values, {.seed = 5}) != *two_sample_p(values, {.seed = 6}));
  CHECK(*multinomial_p(counts, probabilities, {.seed = 5}) == *multinomial_p(counts, probabilities, {.seed = 5}));
  CHECK(*multinomial_p(counts, probabilities, {.seed = 5}) != *multinomial_p(counts, probabilities, {.seed = 6}));
  CHECK(*multinomial_p(Counts{0, 0, 100}, probabilities, {.simulations = 49}) == 1.0 / 50);
}

TEST_CASE("a test that is stopped has no p-value") {
  std::stop_source source;
  source.request_stop();
  SimulationOptions options;
  options.stop = source.get_token();
  CHECK(!multinomial_p(Counts{3, 4}, std::vector<double>{0.5, 0.5}, options));
  CHECK(!two_sample_p(std::vector<TwoSampleCount>{{3, 20}, {1, 1}}, options));
}
