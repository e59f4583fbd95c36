// How often two runs agree in bits: by hand, against what was drawn from, and the interval's coverage.
#include "metrics/same_bits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "metrics/measured.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

const std::vector<double> kSameBitsTerms = {8, -4};

ResultCounts counts_of(const std::vector<double>& results) {
  Measured measured(Format::fp64, kSameBitsTerms, "random");
  measured.add(results);
  return measured.counts();
}

double all_equal(const std::vector<double>& probabilities, double runs) {
  double sum = 0;
  for (const double p : probabilities) sum += std::pow(p, runs);
  return sum;
}

}  // namespace

TEST_CASE("the probability of the same bits is the share of pairs of samples that agree") {
  Measured measured(Format::fp64, kSameBitsTerms, "random");
  measured.add({4, 5, 5, 6});
  check_number(measured, {"same_bits", "probability"}, 1.0 / 6);
  measured.add({5, 4, -0.0, 0.0});
  check_number(measured, {"same_bits", "probability"}, 8.0 / 56);  // 3 * 2 + 2 * 1 of 8 * 7; -0 is not +0
}

TEST_CASE("one sample and bins say nothing of the same bits, a fixed order all") {
  Measured measured(Format::fp64, kSameBitsTerms, "random", 3);
  measured.add({4});
  for (const char* name : {"probability", "low", "high", "runs_to_differ"}) check_null(measured, {"same_bits", name});
  measured.add({5, 6});
  check_number(measured, {"same_bits", "probability"}, 0);
  check_null(measured, {"same_bits", "runs_to_differ"});
  measured.add({7});
  for (const char* name : {"probability", "low", "high", "runs_to_differ"}) check_null(measured, {"same_bits", name});
  Measured fixed(Format::fp64, kSameBitsTerms, "pairwise");
  fixed.draw(1);
  for (const char* name : {"probability", "low", "high"}) check_number(fixed, {"same_bits", name}, 1);
  check_null(fixed, {"same_bits", "runs_to_differ"});
}

TEST_CASE("runs that show a difference agree with the probability beside them") {
  Measured measured(Format::fp64, kSameBitsTerms, "random");
  for (int i = 0; i < 100; ++i) measured.add({static_cast<double>(i)});
  measured.add({0});  // one of 5050 pairs agrees: two runs do
  check_number(measured, {"same_bits", "probability"}, 1.0 / 5050);
  check_number(measured, {"same_bits", "runs_to_differ"}, 2);
}

TEST_CASE("an interval around a tiny share begins at 0") {
  const ProbabilityInterval interval = same_bits_interval(2.0 / (1000.0 * 999), 1000);
  CHECK(interval.low == 0);
  CHECK(interval.high > 0.001);
  CHECK(interval.high < 0.02);
}

TEST_CASE("the probability of the same bits is unbiased, and its interval covers it") {
  // Results 0..k-1 by the largest probability p of result 0; the others share the rest.
  const std::uint64_t parts = trials(400);
  for (const auto& [p, k] : {std::pair(0.02, 50), std::pair(0.5, 2), std::pair(0.5, 30), std::pair(0.97, 4)}) {
    CAPTURE(p);
    const double rest = (1 - p) / (k - 1);
    const double truth = p * p + (k - 1) * rest * rest;
    double estimated = 0;
    std::uint64_t covered = 0;
    for (std::uint64_t part = 0; part < parts; ++part) {
      IndexGenerator draw(RandomStream(11, 0, part), 0);
      std::vector<double> results(20);
      for (double& r : results) {
        const double u = static_cast<double>(below(draw, 1U << 30U)) * 0x1p-30;
        r = u < p ? 0 : 1 + std::floor((u - p) / rest);
      }
      const double estimate = *same_bits_estimate(counts_of(results).results());
      const ProbabilityInterval interval = same_bits_interval(estimate, results.size());
      estimated += estimate;
      covered += interval.low <= truth && truth <= interval.high;
    }
    // Hoeffding, means of values in [0, 1]: P < 2 exp(-2 parts t^2) < 1e-6.
    const double tolerance = std::sqrt(7.3 / static_cast<double>(parts));
    CHECK(std::fabs(estimated / static_cast<double>(parts) - truth) <= tolerance);
    CHECK(static_cast<double>(covered) / static_cast<double>(parts) >= kSameBitsConfidence - tolerance);
  }
}

TEST_CASE("where all samples agree, or none, the interval is Clopper and Pearson's for floor(N / 2) pairs") {
  for (const std::uint64_t samples : {2U, 3U, 20U, 1001U}) {
    CAPTURE(samples);
    const double end = std::pow(0.025, 1 / static_cast<double>(samples / 2));
    const ProbabilityInterval all = same_bits_interval(1, samples);
    CHECK(std::fabs(all.low - end) <= 1e-14);  // log and pow to a few ulps
    CHECK(all.high == 1);
    const ProbabilityInterval none = same_bits_interval(0, samples);
    CHECK(none.low == 0);
    CHECK(std::fabs(none.high - (1 - end)) <= 1e-14);
  }
}

TEST_CASE("the interval ends where the Chernoff bound of floor(N / 2) pairs is 0.025") {
  const double estimate = 0.3;
  const ProbabilityInterval interval = same_bits_interval(estimate, 101);
  CHECK(interval.low < estimate);
  CHECK(interval.high > estimate);
  for (const double p : {interval.low, interval.high}) {
    const double bound =
        std::pow(std::pow(p / estimate, estimate) * std::pow((1 - p) / (1 - estimate), 1 - estimate), 50);
    CHECK(std::fabs(bound - 0.025) <= 1e-12);
  }
}

TEST_CASE("so many runs show a difference with probability 99.9 %, and one fewer do not") {
  CHECK(runs_to_differ(std::vector{0.5, 0.5}) == 11);
  CHECK(runs_to_differ(std::vector(1024, 0x1p-10)) == 2);
  CHECK(runs_to_differ(std::vector(999, 1.0 / 999)) == 3);
  for (const std::vector<double>& p :
       {std::vector{0.9, 0.1}, std::vector{0.01, 0.99}, std::vector{0.3, 0.3, 0.4}, std::vector{0.999, 0.001},
        std::vector{0.04, 0.24, 0.24, 0.24, 0.24}, std::vector{0.05, 0.9, 0.05}}) {
    CAPTURE(p[0]);
    const auto runs = runs_to_differ(p);
    REQUIRE(runs.has_value());
    CHECK(all_equal(p, static_cast<double>(*runs)) <= 0.001);
    CHECK(all_equal(p, static_cast<double>(*runs) - 1) > 0.001);
  }
  CHECK(runs_to_differ(std::vector{1.0}) == std::nullopt);
  CHECK(runs_to_differ(std::vector{1.0, 1e-20}) == std::nullopt);
}

TEST_CASE("two orders differ as often as results drawn from their counts do") {
  const ResultCounts a = counts_of({4, 4, 5});
  const ResultCounts b = counts_of({5, 4, 5, 6});
  CHECK(differing_bits_estimate(a, b) == 8.0 / 12);
  CHECK(differing_bits_estimate(b, a) == 8.0 / 12);
  CHECK(differing_bits_estimate(counts_of({0.0}), counts_of({-0.0})) == 1.0);
  CHECK(differing_bits_estimate(counts_of({7, 7}), counts_of({7})) == 0.0);
}
