// Ranks against sums of binomial probabilities, quantiles against counting, moments against hand cases and each other.
#include "metrics/statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <map>

#include "core/text.hpp"
#include "doubles.hpp"
#include "metrics/field_paths.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// P(Binomial(n, p) = k) for all k, each by the recurrence from the mode outward, normalised; extended precision.
std::vector<long double> binomial(std::uint64_t n, double p) {
  std::vector<long double> mass(n + 1);
  const auto mode = static_cast<std::uint64_t>(static_cast<double>(n) * p);
  const long double odds = static_cast<long double>(p) / (1 - static_cast<long double>(p));
  mass[mode] = 1;
  for (std::uint64_t k = mode; k < n; ++k)
    mass[k + 1] = mass[k] * odds * static_cast<long double>(n - k) / static_cast<long double>(k + 1);
  for (std::uint64_t k = mode; k > 0; --k)
    mass[k - 1] = mass[k] / odds * static_cast<long double>(k) / static_cast<long double>(n - k + 1);
  long double total = 0;
  for (const long double m : mass) total += m;
  for (long double& m : mass) m /= total;
  return mass;
}

Distribution weighted(const std::vector<double>& values) {
  std::map<double, double> counts;
  for (const double v : values) ++counts[v];
  Distribution list;
  for (const auto& [value, count] : counts) list.values.push_back({value, count});
  return list;
}

}  // namespace

TEST_CASE("quantile ranks are the tightest whose binomial tails stay within the confidence") {
  // cdf of Boost: a few hundred ulps at most; the sums here: below (n + 1) 2^-60. Tails this close count as either.
  constexpr long double kTie = 1e-11L;
  for (const std::uint64_t n : {1u, 2u, 3u, 5u, 10u, 58u, 59u, 60u, 100u, 299u, 1000u, 1001u}) {
    for (const auto& [p, name, help] : kQuantiles) {
      for (const double confidence : {0.5, 0.9, 0.95, 0.99}) {
        CAPTURE(n);
        CAPTURE(p);
        CAPTURE(confidence);
        const std::vector<long double> mass = binomial(n, p);
        const auto fewer_than = [&](std::uint64_t k) {
          long double sum = 0;
          for (std::uint64_t i = 0; i < k; ++i) sum += mass[i];
          return sum;
        };
        const auto at_least = [&](std::uint64_t k) {
          long double sum = 0;
          for (std::uint64_t i = n + 1; i > k; --i) sum += mass[i - 1];
          return sum;
        };
        const long double tail = (1 - static_cast<long double>(confidence)) / 2;
        const RankInterval ranks = quantile_ranks(n, p, confidence);
        REQUIRE(ranks.low <= n);
        REQUIRE(ranks.high >= 1);
        REQUIRE(ranks.high <= n + 1);
        CHECK(fewer_than(ranks.low) <= tail + kTie);
        CHECK((ranks.low == n || fewer_than(ranks.low + 1) > tail - kTie));
        CHECK(at_least(ranks.high) <= tail + kTie);
        CHECK((ranks.high == 1 || at_least(ranks.high - 1) > tail - kTie));
      }
    }
  }
}

TEST_CASE("the sample maximum covers a quantile from the classical sizes on") {
  // ln(alpha) / ln(p): 59 (95/95), 299 (99/95), 2995 (99.9/95), 4603 (99.9/99); both tails together are 2 alpha.
  struct Known {
    std::uint64_t n;
    double p;
    double alpha;
  };
  for (const Known& known : {Known{59, 0.95, 0.05}, {299, 0.99, 0.05}, {2995, 0.999, 0.05}, {4603, 0.999, 0.01}}) {
    CAPTURE(known.n);
    CHECK(quantile_ranks(known.n, known.p, 1 - 2 * known.alpha).high == known.n);
    CHECK(quantile_ranks(known.n - 1, known.p, 1 - 2 * known.alpha).high == known.n);  // one more than there are
    CHECK(quantile_ranks(known.n, 1 - known.p, 1 - 2 * known.alpha).low == 1);
    CHECK(quantile_ranks(known.n - 1, 1 - known.p, 1 - 2 * known.alpha).low == 0);
  }
}

TEST_CASE("intervals of order statistics hold the quantile at least as often as they say") {
  // Uniform integers below 100, N = 40: the 0.5-quantile is 49, the 0.95-quantile 94 (inverse distribution function).
  constexpr std::uint64_t kSamples = 40;
  const std::uint64_t repetitions = trials(4000);
  for (const auto& [p, truth] : {std::pair(0.5, 49.0), std::pair(0.95, 94.0), std::pair(0.05, 4.0)}) {
    CAPTURE(p);
    const RankInterval ranks = quantile_ranks(kSamples, p, kQuantileConfidence);
    std::uint64_t held = 0;
    for (std::uint64_t r = 0; r < repetitions; ++r) {
      IndexGenerator draw(RandomStream(3, 0, r), 0);
      std::vector<double> values(kSamples);
      for (double& v : values) v = static_cast<double>(below(draw, 100));
      const std::vector<Weighted> list = weighted(values).values;
      const bool above = ranks.low == 0 || value_of_rank(list, ranks.low) <= truth;
      const bool under = ranks.high == kSamples + 1 || value_of_rank(list, ranks.high) >= truth;
      if (above && under) ++held;
    }
    const auto count = static_cast<double>(repetitions);
    // 5 standard deviations of a binomial of probability 0.95 below its mean: P < 1e-5 by Chernoff.
    CHECK(static_cast<double>(held) >= 0.95 * count - 5 * std::sqrt(0.95 * 0.05 * count) - 1);
  }
}

TEST_CASE("a quantile is the smallest value with enough values at or below it") {
  struct Fraction {
    double p;
    std::uint64_t percent;
  };
  for (const Fraction& f : {Fraction{0.01, 1}, {0.05, 5}, {0.25, 25}, {0.5, 50}, {0.75, 75}, {0.95, 95}, {0.99, 99}}) {
    CAPTURE(f.p);
    for (std::uint64_t n = 1; n <= 2000; ++n) {
      const auto count = [](std::uint64_t c) { return static_cast<double>(c); };
      std::vector<Weighted> list{{-1, count(n / 3)}, {2, count(n - n / 3 - n / 5)}, {7, count(n / 5)}};
      std::erase_if(list, [](const Weighted& w) { return w.weight == 0; });
      std::uint64_t at_or_below = 0;
      double expected = list.back().value;
      for (const Weighted& w : list) {
        at_or_below += static_cast<std::uint64_t>(w.weight);
        if (100 * at_or_below < f.percent * n) continue;
        expected = w.value;
        break;
      }
      REQUIRE(bits(quantile(list, f.p)) == bits(expected));
    }
    std::vector<Weighted> distinct;
    for (std::uint64_t i = 1; i <= 1000; ++i) distinct.push_back({static_cast<double>(i), 1});
    CHECK(bits(quantile(distinct, f.p)) == bits(static_cast<double>(10 * f.percent)));
  }
}

TEST_CASE("ranks count from one through the weights") {
  const std::vector<Weighted> list{{-0.5, 2}, {1, 1}, {3, 4}};
  const double expected[] = {-0.5, -0.5, 1, 3, 3, 3, 3};
  for (std::uint64_t rank = 1; rank <= 7; ++rank) CHECK(bits(value_of_rank(list, rank)) == bits(expected[rank - 1]));
}

TEST_CASE("mean and standard deviation of hand cases are exact") {
  const Distribution list{{{1, 1}, {2, 2}, {5, 1}}};  // mean 2.5, squares 2.25 + 0.25 + 0.25 + 6.25 = 9
  CHECK(bits(mean(list)) == bits(2.5));
  CHECK(bits(*standard_deviation(list, 2.5)) == bits(std::sqrt(3.0)));
  CHECK(bits(mean({{{-7, 3}}})) == bits(-7.0));
  CHECK(bits(*standard_deviation({{{-7, 3}}}, -7)) == bits(0.0));
  CHECK_FALSE(standard_deviation({{{4, 1}}}, 4).has_value());
  // What a plain sum loses: 2^60 + 1 - 2^60.
  CHECK(bits(mean({{{-0x1p60, 1}, {1, 2}, {0x1p60, 1}}})) == bits(0.5));
}

TEST_CASE("the standard deviation from exact sums agrees with that of the list and with 100 digits") {
  using Digits100 = boost::multiprecision::cpp_bin_float_100;
  for (std::uint64_t trial = 0; trial < trials(300); ++trial) {
    CAPTURE(trial);
    IndexGenerator draw(RandomStream(5, 0, trial), 0);
    std::vector<double> values(2 + below(draw, 60));
    const bool integers = chance(draw, 2);
    for (double& v : values) v = integers ? static_cast<double>(below(draw, 30)) - 10 : near_one(draw);
    const auto list = weighted(values);
    ExactSum sum;
    ExactSum squares;
    Digits100 total = 0;
    for (const double v : values) {
      sum.add(v);
      squares.add_product(v, v);
      total += v;
    }
    const std::size_t n = values.size();
    Digits100 variance = 0;
    for (const double v : values) variance += (v - total / n) * (v - total / n);
    const auto expected = static_cast<double>(sqrt(variance / (n - 1)));
    const double from_sums = *standard_deviation(sum, squares, n);
    const double from_list = *standard_deviation(list, mean(list));
    // From sums: an exact sum of squares about a point 2 u mean from the mean, rounded, less what that point is off,
    // three roundings of a part (2 u mean / deviation)^2; then a quotient and a root.
    const double mean_share = std::fabs(static_cast<double>(total)) / static_cast<double>(n) * 0x1p-52;
    const double part = 1 + (mean_share / expected) * (mean_share / expected);
    CHECK(std::fabs(from_sums - expected) <= 5 * 0x1p-53 * part * expected);
    // From the list each d is about the rounded mean and each d^2 is rounded three times.
    CHECK(std::fabs(from_list - expected) <= 8 * 0x1p-53 * expected + 2 * mean_share);
  }
}

TEST_CASE("the standard deviation from exact sums survives a mean that no double holds") {
  ExactSum sum;
  ExactSum squares;
  for (const double d : {0x1p53, 0x1p53, 0x1p53 + 2}) {
    sum.add(d);
    squares.add_product(d, d);
  }
  // The mean is 2^53 + 2/3, the squares about it 4/9 + 4/9 + 16/9 = 8/3. Two quotients and a root are rounded.
  const double sd = *standard_deviation(sum, squares, 3);
  CHECK(std::fabs(sd - std::sqrt(4.0 / 3)) <= 4 * 0x1p-53 * sd);
}

TEST_CASE("a summary of nothing is nulls, and of infinite values has no standard deviation") {
  const Summary nothing = summary_of({});
  std::size_t shown = 0;
  for_each_value(described::kSummary, &nothing, [&](const std::string& path, const Value& value) {
    CAPTURE(path);
    CHECK(std::holds_alternative<std::monostate>(value));
    ++shown;
  });
  CHECK(shown == 5 + 3 * std::size(kQuantiles));

  const double infinity = std::numeric_limits<double>::infinity();
  const Summary infinite = summary_of({{{-infinity, 1}, {0, 5}, {infinity, 2}}});
  CHECK(bits(*infinite.max) == bits(infinity));
  CHECK(bits(*infinite.quantiles[3].value) == bits(0.0));
  CHECK_FALSE(infinite.mean.has_value());
  CHECK_FALSE(infinite.sd.has_value());
}

TEST_CASE("a summary lists every quantile with an interval, null on a side that no rank bounds") {
  const Summary summary = summary_of({{{-3, 1}, {1, 1}}});
  CHECK(bits(*summary.min) == bits(-3.0));
  CHECK(bits(*summary.max) == bits(1.0));
  CHECK(bits(*summary.max_abs) == bits(3.0));
  for (std::size_t i = 0; i < std::size(kQuantiles); ++i) {
    CAPTURE(kQuantiles[i].name);
    CHECK(kQuantiles[i].name == shortest(kQuantiles[i].p));
    CHECK(kQuantiles[i].help == "The " + shortest(100 * kQuantiles[i].p) + " % quantile");
    const auto shown = [&](std::string_view which) {
      std::optional<Value> found;
      for_each_value(described::kSummary, &summary, [&](const std::string& path, const Value& value) {
        if (path == path_of({"quantiles", kQuantiles[i].name, which})) found = value;
      });
      return found;
    };
    REQUIRE(summary.quantiles[i].value.has_value());
    CHECK(bits(std::get<double>(shown("value").value())) == bits(*summary.quantiles[i].value));
    CHECK(shown("low").has_value());
    CHECK(shown("high").has_value());
  }
  CHECK(kQuantiles[3].name == "0.5");
  CHECK_FALSE(summary.quantiles[3].low.has_value());
  CHECK_FALSE(summary.quantiles[3].high.has_value());
}

TEST_CASE("equal values have no deviation, though their mean is rounded") {
  const Distribution values{{{0.1, 1000}}};
  CHECK(standard_deviation(values, std::nextafter(0.1, 1.0)) == 0.0);
  CHECK(standard_deviation({{{0.1, 1}}}, 0.1) == std::nullopt);
}
