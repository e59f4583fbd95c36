// Ratios of spreads: exact ones, what is resampled, the same bits twice, and how often the interval holds the truth.
#include "page/spread_ratio.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <vector>

#include "orderlab/philox.hpp"
#include "page/power_law.hpp"

using namespace orderlab;

namespace {

using Values = std::vector<Weighted>;

// Sums of twelve uniform numbers: near enough to normal for a coverage, and no libm in it.
Values draws(std::uint64_t seed, std::size_t count, double scale) {
  Values values;
  for (std::size_t i = 0; i < count; ++i) {
    IndexGenerator words(RandomStream(seed, streams::kTerms, 0), i);
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(words() >> 11) * 0x1p-53;
    values.push_back({scale * sum, 1});
  }
  std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  return values;
}

}  // namespace

TEST_CASE("the ratio of a scaled sample is the scale, and so is the whole interval when all inputs agree") {
  std::vector<Values> ones;
  std::vector<Values> fours;
  for (std::uint64_t input = 0; input < kInputsToResample; ++input) {
    ones.push_back(draws(input, 40, 1));
    fours.push_back(draws(input, 40, 4));
  }
  std::vector<SpreadPair> pairs;
  for (std::size_t i = 0; i < kInputsToResample; ++i) pairs.push_back({fours[i], ones[i]});
  const auto ratio = spread_ratio(pairs, 1, kPageConfidence);
  REQUIRE(ratio);
  CHECK(ratio->inputs_resampled);
  CHECK(ratio->inputs == kInputsToResample);
  // Scaling by 4 is exact, so every input has log 4, rounded; a mean of eight of them, and exp, are off by some 2^-52.
  for (const double value : {ratio->ratio, ratio->low, ratio->high}) CHECK(std::fabs(value - 4) <= 0x1p-48);
}

TEST_CASE("eight inputs are resampled, seven have their samples resampled") {
  std::vector<Values> values;
  for (std::uint64_t input = 0; input < 16; ++input) values.push_back(draws(input, 20, 1));
  std::vector<SpreadPair> pairs;
  for (std::size_t i = 0; i < 8; ++i) pairs.push_back({values[i], values[i + 8]});
  CHECK(spread_ratio(pairs, 1, kPageConfidence)->inputs_resampled);
  pairs.pop_back();
  CHECK(!spread_ratio(pairs, 1, kPageConfidence)->inputs_resampled);
}

TEST_CASE("a ratio is of all counts, however many: one order in 2^40 does not count as one in 2^20") {
  const double many = 0x1p40;
  const Values rare{{-1, many}, {0, many}, {1e6, 1}};
  const Values plain{{-1, many}, {0, many}};
  const std::vector<SpreadPair> pairs(kInputsToResample, {rare, plain});  // so many samples take long to resample
  const auto ratio = spread_ratio(pairs, 1, kPageConfidence);
  REQUIRE(ratio);
  // Variances: 1/4 of the plain one, and about 1e12 / 2^41 = 0.455 more, to well within 1e-6.
  CHECK(std::fabs(ratio->ratio - std::sqrt((0.25 + 1e12 * 0x1p-41) / 0.25)) < 1e-5);
}

TEST_CASE("more samples than are kept for resampling are thinned for the interval, not for the ratio") {
  const double half = 0x1p19;
  const Values rare{{-1, half}, {0, half}, {1e6, 1}};  // the last of 2^20 + 1, of which every second is kept
  const Values plain{{-1, 1e4}, {0, 1e4}};
  const auto ratio = spread_ratio(std::vector<SpreadPair>{{rare, plain}}, 1, kPageConfidence);
  REQUIRE(ratio);
  CHECK(!ratio->inputs_resampled);
  CHECK(std::fabs(ratio->ratio - std::sqrt((0.25 + 1e12 * 0x1p-20) / 0.25)) < 1);  // 1953, but for 1/20000
  // Two samples of -1 and 0: their sds are 1/2, but for 1/20000 of it.
  CHECK(std::fabs(ratio->low - 1) < 1e-3);
  CHECK(std::fabs(ratio->high - 1) < 1e-3);
}

TEST_CASE("samples are drawn with replacement, one word of the replicate's stream after the other") {
  const std::vector<Values> values{draws(1, 7, 1), draws(2, 10, 3), draws(3, 301, 1), draws(4, 258, 2)};
  const std::vector<SpreadPair> pairs{{values[0], values[1]}, {values[2], values[3]}};
  std::vector<double> ratios;
  for (std::uint64_t b = 0; b < kBootstrapReplicates; ++b) {
    WordReader words(RandomStream(5, streams::kBootstrap, b));
    std::uint64_t word = 0;
    double logs = 0;
    for (std::size_t side = 0; side < values.size(); ++side) {
      const auto n = static_cast<std::uint32_t>(values[side].size());
      std::vector<double> drawn;
      for (std::uint32_t i = 0; i < n; ++i) drawn.push_back(values[side][words.below(n, word++)].value);
      double mean = 0;
      for (const double x : drawn) mean += x / n;
      double squares = 0;
      for (const double x : drawn) squares += (x - mean) * (x - mean);
      logs += (side % 2 == 0 ? 1 : -1) * std::log(std::sqrt(squares / (n - 1)));
    }
    ratios.push_back(std::exp(logs / 2));
  }
  std::sort(ratios.begin(), ratios.end());
  const auto ratio = spread_ratio(pairs, 5, 0.95);
  REQUIRE(ratio);
  // The limits are the 25th and the 975th of 999 replicates; both are rounded some thousand times, each by 2^-53.
  CHECK(std::fabs(ratio->low / ratios[24] - 1) < 1e-11);
  CHECK(std::fabs(ratio->high / ratios[974] - 1) < 1e-11);
}

TEST_CASE("few inputs have their samples resampled, and the seed decides how") {
  const Values one = draws(1, 60, 1);
  const Values other = draws(2, 60, 2);
  const std::vector<SpreadPair> pairs{{other, one}};
  const auto ratio = spread_ratio(pairs, 1, kPageConfidence);
  const auto again = spread_ratio(pairs, 1, kPageConfidence);
  const auto elsewhere = spread_ratio(pairs, 2, kPageConfidence);
  REQUIRE(ratio);
  REQUIRE(again);
  REQUIRE(elsewhere);
  CHECK(!ratio->inputs_resampled);
  CHECK(ratio->low < ratio->ratio);
  CHECK(ratio->ratio < ratio->high);
  CHECK(again->low == ratio->low);
  CHECK(again->high == ratio->high);
  CHECK(elsewhere->ratio == ratio->ratio);
  CHECK(elsewhere->low != ratio->low);
}

TEST_CASE("counts are as good as repeated values, and inputs that do not move are left out") {
  const Values repeated{{0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 1}, {5, 1}};
  const Values counted{{0, 3}, {1, 2}, {5, 1}};
  const Values fixed{{2, 6}};
  const auto a = spread_ratio(std::vector<SpreadPair>{{repeated, counted}}, 3, kPageConfidence);
  const auto b = spread_ratio(std::vector<SpreadPair>{{counted, repeated}, {fixed, counted}}, 3, kPageConfidence);
  REQUIRE(a);
  REQUIRE(b);
  CHECK(a->ratio == 1);
  CHECK(b->ratio == 1);
  CHECK(b->inputs == 1);
  CHECK(!spread_ratio(std::vector<SpreadPair>{{fixed, counted}, {counted, fixed}}, 3, kPageConfidence));
  CHECK(!spread_ratio({}, 3, kPageConfidence));
}

TEST_CASE("intervals hold the ratio about as often as they say") {
  constexpr std::uint64_t kTrials = 300;
  std::uint64_t held = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const Values one = draws(100 + 2 * trial, 80, 1);
    const Values other = draws(101 + 2 * trial, 80, 1);
    const auto ratio = spread_ratio(std::vector<SpreadPair>{{other, one}}, trial, kPageConfidence);
    REQUIRE(ratio);
    held += ratio->low <= 1 && 1 <= ratio->high ? 1U : 0U;
  }
  // A percentile interval of N samples is right but for O(1/N), a few per cent here: it holds 0.90 to 0.98 of the time,
  // and a program whose interval does fails with probability 1e-6. An interval of half the width would hold 0.67.
  CHECK(static_cast<double>(held) >= boost::math::quantile(boost::math::binomial(kTrials, 0.90), 5e-7));
  CHECK(static_cast<double>(held) <=
        boost::math::quantile(boost::math::complement(boost::math::binomial(kTrials, 0.98), 5e-7)));
}
