#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/tolerance.hpp"

using namespace orderlab;

namespace {

// P(Binomial(n, q) < rank) by summing the terms: the second way to the incomplete beta function.
double fewer_than(std::uint64_t rank, std::uint64_t n, double q) {
  double sum = 0;
  for (std::uint64_t k = 0; k < rank; ++k) {
    const double count = static_cast<double>(n);
    const double i = static_cast<double>(k);
    sum += std::exp(std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) + i * std::log(q) +
                    (count - i) * std::log1p(-q));
  }
  return sum;
}

// Largest values of `n` uniform draws, descending.
std::vector<double> top_of_uniform(std::uint64_t experiment, std::uint64_t n, std::uint64_t keep) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < n; ++i) {
    IndexGenerator generator(RandomStream(20260721, 0, experiment), i);
    values.push_back(static_cast<double>(generator() >> 11) * 0x1p-53);
  }
  std::partial_sort(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(keep), values.end(), std::greater<>());
  values.resize(keep);
  return values;
}

}  // namespace

TEST_CASE("the largest of 59, 299, 2995, 4603 values are the published limits") {
  CHECK(needed_samples(0.95, 0.95) == 59);
  CHECK(needed_samples(0.99, 0.95) == 299);
  CHECK(needed_samples(0.999, 0.95) == 2995);
  CHECK(needed_samples(0.999, 0.99) == 4603);
  CHECK(needed_samples(0.9, 0.9) == 22);
  CHECK(needed_samples(0.5, 0.5) == 1);
  CHECK(needed_samples(0.95, 0.95, 2) == 93);  // second and third order, as published
  CHECK(needed_samples(0.95, 0.95, 3) == 124);
}

TEST_CASE("the number of values is enough, and one less is not") {
  for (const double coverage : {0.3, 0.9, 0.99, 0.9999})
    for (const double confidence : {0.05, 0.5, 0.95, 0.9999})
      for (const std::uint64_t rank : {1U, 2U, 5U, 17U}) {
        CAPTURE(coverage);
        CAPTURE(confidence);
        CAPTURE(rank);
        const std::uint64_t n = needed_samples(coverage, confidence, rank);
        // Relative error of the sum of terms: lgamma of at most 1e6 to 1e-15 of about 1e7.
        constexpr double kError = 1e-7;
        CHECK(n >= rank);
        CHECK(fewer_than(rank, n, 1 - coverage) <= (1 - confidence) * (1 + kError));
        if (n > rank) CHECK(fewer_than(rank, n - 1, 1 - coverage) > (1 - confidence) * (1 - kError));
        CHECK(limit_rank(n, coverage, confidence) == rank);
        CHECK(limit_rank(n - 1, coverage, confidence) == rank - 1);
      }
}

TEST_CASE("the rule takes the fifth largest of 9151 for 99.9 % and 95 %, as its definition says") {
  const SamplingRule rule = sampling_rule(0.999, 0.95);
  CHECK(rule.rank == 5);
  CHECK(rule.samples == 9151);
  for (const double coverage : {0.5, 0.9, 0.999, 0.99999})
    for (const double confidence : {0.5, 0.9, 0.99}) {
      const SamplingRule r = sampling_rule(coverage, confidence);
      CHECK(r.samples == needed_samples(coverage, confidence, r.rank));
      CHECK(fewer_than(r.rank, r.samples, (1 - coverage) / 2) >= 0.5 - 1e-7);
      if (r.rank == 1) continue;
      const std::uint64_t fewer = needed_samples(coverage, confidence, r.rank - 1);
      CHECK(fewer_than(r.rank - 1, fewer, (1 - coverage) / 2) < 0.5 + 1e-7);
    }
}

TEST_CASE("of draws that take long the rule takes fewer, and a limit of the same confidence") {
  const auto rule_of = [](double additions) { return sampling_rule(0.999, 0.95, additions); };
  CHECK(rule_of(2e6).rank == 1);
  CHECK(rule_of(2e6).samples == 2995);
  CHECK(rule_of(1e12).samples == 2995);
  for (const double additions : {1.0, 9e5}) CHECK(rule_of(additions).samples == 9151);
  for (const double additions : {9.5e5, 1.2e6, 1.5e6}) {
    const SamplingRule rule = rule_of(additions);
    CHECK(rule.samples == needed_samples(0.999, 0.95, rule.rank));
    CHECK(limit_rank(rule.samples, 0.999, 0.95) == rule.rank);
    CHECK(static_cast<double>(rule.samples) * additions <= kMostLimitAdditions);
    CHECK(static_cast<double>(needed_samples(0.999, 0.95, rule.rank + 1)) * additions > kMostLimitAdditions);
  }
}

TEST_CASE("the limit misses its coverage as often as the confidence allows, and is not far out") {
  constexpr std::uint64_t kExperiments = 2000;
  for (const auto& [coverage, confidence] : {std::pair(0.9, 0.9), std::pair(0.95, 0.8)}) {
    const SamplingRule rule = sampling_rule(coverage, confidence);
    std::uint64_t missed = 0;
    std::uint64_t far = 0;
    for (std::uint64_t e = 0; e < kExperiments; ++e) {
      const double limit = top_of_uniform(e, rule.samples, rule.rank).back();  // its own true coverage
      if (limit < coverage) ++missed;
      if (1 - limit < (1 - coverage) / 2) ++far;
    }
    // Four binomial standard deviations: a right limit fails once in 15 000 such checks. The values are continuous, so
    // the probability of a miss is that of the definition.
    const double expected = fewer_than(rule.rank, rule.samples, 1 - coverage);
    const double count = static_cast<double>(kExperiments);
    const double deviation = 4 * std::sqrt(expected * (1 - expected) / count);
    CHECK(expected <= 1 - confidence + 1e-7);
    CHECK(std::fabs(static_cast<double>(missed) / count - expected) <= deviation);
    CHECK(static_cast<double>(far) / count <= 0.5 + 2 / std::sqrt(count));
  }
}

TEST_CASE("coverage, confidence and rank out of range are refused") {
  for (const double wrong : {0.0, 1.0, -0.1, 1.5, std::nan("")}) {
    CHECK_THROWS_AS(needed_samples(wrong, 0.95), Error);
    CHECK_THROWS_AS(needed_samples(0.95, wrong), Error);
    CHECK_THROWS_AS(limit_rank(100, wrong, 0.95), Error);
    CHECK_THROWS_AS(sampling_rule(0.95, wrong), Error);
  }
  CHECK_THROWS_AS(needed_samples(0.95, 0.95, 0), Error);
}

TEST_CASE("rare exceedances need as many values as their logarithm says") {
  // ln(1 - confidence) / ln(coverage); the integer part is far above the error of the logarithms.
  for (const double rarity : {1e-8, 1e-9, 1e-10, 1e-13}) {
    CAPTURE(rarity);
    const double coverage = 1 - rarity;
    const double expected = std::log1p(-0.95) / std::log(coverage);
    CHECK(std::fabs(static_cast<double>(needed_samples(coverage, 0.95)) - expected) <= expected * 1e-7);
  }
}

TEST_CASE("the most extreme fractions still have a number") {
  const double most = 1 - 0x1p-53;
  CHECK(needed_samples(most, 0.95) > std::uint64_t{1} << 54);
  CHECK(needed_samples(most, most) > needed_samples(most, 0.95));
  CHECK(limit_rank(100, most, most) == 0);
  CHECK(limit_rank(0, 0.5, 0.5) == 0);
}
