// Longer than most files: verdicts from all orders and from samples are tried on the same made-up results.
#include "orderlab/check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "metrics/exceedances.hpp"
#include "orderlab/error.hpp"
#include "orderlab/sample.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

constexpr std::uint64_t kTerms = 1000;

ExactValue exact_of(std::vector<double> terms) { return exact_sum(terms); }

// Samples as if they had been drawn, in fp32 unless told.
ResultCounts samples_of(const std::vector<double>& results, const ExactValue& exact, Format format = Format::fp32,
                        std::uint64_t max_distinct = 1 << 20) {
  ResultCounts counts(CountingFrame::make(exact, format, max_distinct));
  for (const double x : results) {
    Evaluation e;
    e.bits = round_to_bits(format, x);
    e.value = value_of_bits(format, e.bits);
    counts.add(e, 1.0, 1.0);
  }
  return counts;
}

GivenResult given(double x, std::uint64_t count = 1, Format format = Format::fp32) {
  return {round_to_bits(format, x), count};
}

// The one verdict on one value.
ValueVerdict judged(double x, const std::vector<double>& samples, std::optional<double> bound, const ExactValue& exact,
                    Format format = Format::fp32) {
  const std::vector<GivenResult> values{given(x, 1, format)};
  CheckOptions options;
  options.confidence = 0.1;  // few samples are enough
  const CheckResult result = check(samples_of(samples, exact, format), bound, exact, values, options);
  REQUIRE(result.values.size() == 1);
  CHECK(!result.joint);
  CHECK(result.verdict() == result.values[0].verdict);
  return result.values[0];
}

// Fourteen orders of two results.
Enumeration two_results(double low, double high) {
  Enumeration all;
  all.family = OrderFamily::sequences;
  all.format = Format::fp32;
  all.m = 3;
  all.orders = 14;
  all.results = {.values = {{low, 0.5}, {high, 0.5}}, .orders = {7, 7}};
  return all;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

TEST_CASE("one result takes 2 / (1 - confidence) samples, rounded up once") {
  CHECK(check_samples(0.999, 1, kTerms) == 2000);
  CHECK(check_samples(0.9, 1, kTerms) == 20);
  CHECK(check_samples(0.95, 1, kTerms) == 40);
  CHECK(check_samples(0.99, 1, kTerms) == 200);
  CHECK(check_samples(0.99999, 1, kTerms) == 200'000);
  CHECK(check_samples(0.9999999, 1, kTerms) == 20'000'000);
  CHECK(check_samples(0.3, 1, kTerms) == 3);
  CHECK(check_samples(0.5, 1, kTerms) == 4);
  for (const double c : {0.1, 0.5, 0.8, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.123456})
    CHECK(2 / (static_cast<double>(check_samples(c, 1, kTerms)) + 1) < 1 - c);
  for (const double c : {0.0, 1.0, -1.0, 2.0, kNan, kInfinity}) CHECK_THROWS_AS(check_samples(c, 1, kTerms), Error);
  CHECK_THROWS_AS(check_samples(1 - 0x1p-50, 1, kTerms), Error);
  CHECK_THROWS_AS(check_samples(0.999, std::uint64_t{1} << 50, kTerms), Error);
}

TEST_CASE("a few results take enough for one beyond the samples to be unlikely, many what 2^32 additions give") {
  for (const double c : {0.5, 0.95, 0.999})
    for (const std::uint64_t m : {2U, 3U, 8U}) {
      const auto n = static_cast<double>(check_samples(c, m, kTerms));
      const auto given = static_cast<double>(m);
      CHECK(8 * given / (given + n) < 1 - c);               // an eighth of 1 - c for each side
      CHECK(8 * given / (given + n - given - 1) >= 1 - c);  // and hardly more than that takes
    }
  CHECK(check_samples(0.999, 8, kTerms) == 64'000);
  CHECK(check_samples(0.999, 50, 10'000) == 400'000);
  CHECK(check_samples(0.999, 60, 10'000) == 429'496);  // 2^32 / 10^4
  CHECK(check_samples(0.999, 60, 1'000'000) == 65'536);
  CHECK(check_samples(0.999, 5000, 10) == 1 << 20);
  CHECK(check_samples(0.999, 5000, 1'000'000) == 100'000);
  CHECK(check_samples(0.9999999, 100, 1'000'000) == 20'000'000);  // what one takes
}

TEST_CASE("fewer samples than fewest_check_samples cannot make anything unlikely") {
  for (const double c : {0.9, 0.999})
    for (const std::uint64_t m : {1U, 2U, 7U, 5000U}) {
      CAPTURE(m);
      const ExactValue exact = exact_of({1.5});
      const std::uint64_t fewest = fewest_check_samples(c, m);
      const std::vector<GivenResult> above{given(1.75, m)};
      CheckOptions options;
      options.confidence = c;
      const auto verdict = [&](std::uint64_t samples) {
        const std::vector<double> drawn(samples, 1.5);
        return check(samples_of(drawn, exact), 1.0, exact, above, options).values[0].verdict;
      };
      CHECK(verdict(fewest) == Verdict::unlikely);
      if (fewest > 2)
        CHECK(verdict(fewest - 2) == Verdict::explained);  // 2 / (1 - c) is one more than one result takes
    }
}

TEST_CASE("among many results one beyond the samples is explained, and so many that honest ones would not be are not") {
  const ExactValue exact = exact_of({1.5});
  const std::vector<double> drawn(65'536, 1.5);
  const ResultCounts samples = samples_of(drawn, exact);
  const std::vector<GivenResult> honest{given(1.25), given(1.5, 998), given(1.75)};
  const CheckResult fine = check(samples, 1.0, exact, honest, {});
  CHECK(fine.values[0].verdict == Verdict::explained);
  CHECK(fine.values[0].reason == Reason::beyond_range);
  CHECK(fine.values[2].reason == Reason::beyond_range);
  REQUIRE(fine.outliers.has_value());
  CHECK(fine.outliers->below == 1);
  CHECK(fine.outliers->above == 1);
  CHECK(same_bits(fine.outliers->p, 2 * exceedances_p(1000, 65'536, 1)));
  CHECK(fine.verdict() == Verdict::explained);
  REQUIRE(fine.misses.has_value());
  CHECK(fine.misses->outliers == 3);  // (1000/66536)^2 = 2.3e-4 is above 1.25e-4

  const std::vector<GivenResult> three{given(1.5, 997), given(1.75), given(1.875, 2)};
  const CheckResult not_fine = check(samples, 1.0, exact, three, {});
  CHECK(not_fine.values[0].verdict == Verdict::explained);
  CHECK(not_fine.values[1].verdict == Verdict::unlikely);
  CHECK(not_fine.values[2].verdict == Verdict::unlikely);
  CHECK(not_fine.p() < 0.001);
  CHECK(same_bits(*not_fine.values[1].p, 8 * exceedances_p(1000, 65'536, 3)));
}

TEST_CASE("where results may be inf or NaN a half more samples make one beyond them unlikely, of each kind") {
  CHECK(check_samples(0.999, 1, kTerms, true) == 3000);
  CHECK(check_samples(0.999, 8, kTerms, true) == 96'000);
  CHECK(fewest_check_samples(0.999, 1, true) == 3000);
  const ExactValue exact = exact_of({1.5});
  for (const std::uint64_t m : {1U, 2U, 7U, 5000U})
    for (const double x : {1.75, kNan, kInfinity, -kInfinity}) {
      CAPTURE(m);
      CAPTURE(x);
      const std::vector<GivenResult> beyond{given(x, m)};
      const auto verdict = [&](std::uint64_t samples) {
        const std::vector<double> drawn(samples, 1.5);
        return check(samples_of(drawn, exact), kInfinity, exact, beyond, {}).values[0].verdict;
      };
      const std::uint64_t fewest = fewest_check_samples(0.999, m, true);
      CHECK(verdict(fewest) == Verdict::unlikely);
      if (fewest > 2 && !std::isfinite(x)) CHECK(verdict(fewest - 2) == Verdict::explained);
    }
}

TEST_CASE("inf and NaN among the samples hide no finite value that lies beyond the finite ones") {
  const ExactValue exact = exact_of({1.5});
  const auto samples = [&](std::uint64_t count, const std::vector<double>& others) {
    std::vector<double> drawn(count, 1.5);
    std::copy(others.begin(), others.end(), drawn.begin());
    return samples_of(drawn, exact);
  };
  const std::vector<std::vector<double>> some{{kNan}, {kInfinity}, {-kInfinity}, {kNan, kNan}, {kNan, kInfinity}};
  for (const std::vector<double>& others : some)
    for (const double x : {1.25, 1.75, 3e38, -3e38}) {
      CAPTURE(x);
      const std::vector<GivenResult> one{given(x)};
      CHECK(check(samples(3000, others), kInfinity, exact, one, {}).verdict() == Verdict::unlikely);
      const std::vector<GivenResult> among{given(1.5, 3), given(x)};
      const CheckResult many = check(samples(48'000, others), kInfinity, exact, among, {});
      CHECK(many.verdict() == Verdict::unlikely);
      CHECK(many.outliers->below + many.outliers->above == 1);
      CHECK(many.outliers->nonfinite == 0);
    }
}

TEST_CASE("NaN, inf and -inf are kinds: one that no sample is of is beyond them, one that was seen is not") {
  const ExactValue exact = exact_of({1.5});
  std::vector<double> drawn(3000, 1.5);
  const auto verdict = [&](double x) {
    const std::vector<GivenResult> one{given(x)};
    return check(samples_of(drawn, exact), kInfinity, exact, one, {}).values[0];
  };
  for (const double x : {kNan, kInfinity, -kInfinity}) {
    CHECK(verdict(x).verdict == Verdict::unlikely);
    CHECK(same_bits(*verdict(x).p, 3 * exceedances_p(1, 3000, 1)));
  }
  drawn[0] = drawn[1] = kNan;  // two cannot both be given, and so take nothing from the others
  CHECK(verdict(kNan).reason == Reason::seen);
  CHECK(verdict(kInfinity).verdict == Verdict::unlikely);
  CHECK(same_bits(*verdict(1.75).p, 2 * exceedances_p(1, 3000, 1)));
  drawn[1] = 1.5;
  CHECK(verdict(kNan).reason == Reason::seen);
  CHECK(*verdict(1.75).p > 2 * exceedances_p(1, 3000, 1));  // one can be, and has its share
  CHECK(*verdict(1.75).p < 0.001);

  const std::vector<GivenResult> several{given(1.5, 96), given(kInfinity, 3), given(kNan)};
  const CheckResult result = check(samples_of(drawn, exact), kInfinity, exact, several, {});
  CHECK(result.outliers->nonfinite == 3);  // one sample was NaN
  CHECK(result.values[1].verdict == Verdict::unlikely);
  CHECK(same_bits(*result.values[1].p, 3 * exceedances_p(100, 3000, 3) / kOutliersPart));
  CHECK(same_bits(result.outliers_p(), *result.values[1].p));
  CHECK(result.values[2].reason == Reason::seen);
}

TEST_CASE("a shift that the joint test is said to find is found, and one of an eighth is not") {
  const ExactValue exact = exact_of({1.5});
  std::vector<double> drawn;
  for (int i = 0; i < 65'536; ++i) drawn.push_back(1.5 + i * 0x1p-20);  // uniform
  const ResultCounts samples = samples_of(drawn, exact);
  const auto shifted = [&](double by) {
    std::vector<GivenResult> runs;
    for (int i = 0; i < 100; ++i) runs.push_back(given(1.5 + (i * 655 + 300) * 0x1p-20 + by));
    return check(samples, 1.0, exact, runs, {});
  };
  const CheckResult none = shifted(0);
  CHECK(none.joint_fits());
  REQUIRE(none.misses->shift.has_value());
  // (sqrt(-ln(0.00075 / 2) / 2) + 1.645 / 2) sqrt(1/100 + 1/65536) = 0.28107 of 65536 steps of 2^-20, and one ulp.
  CHECK(std::fabs(*none.misses->shift - 0.28107 * 0x1p-4) <= 3 * 0x1p-20);
  CHECK(!shifted(*none.misses->shift).joint_fits());
  CHECK(shifted(*none.misses->shift / 8).joint_fits());
}

TEST_CASE("samples of a check are none that a run of the same seed draws") {
  CHECK(kFirstCheckSample == std::uint64_t{1} << 47);
  CHECK(kFirstCheckSample + check_samples(1 - 0x1p-44, 1, kTerms) <= RandomStream::kSampleLimit);
}

TEST_CASE("by all orders, a value is explained if one of them gives it") {
  const ExactValue exact = exact_of({1.5});
  const Enumeration all = two_results(1.0, 2.0);
  const std::vector<GivenResult> values{given(2.0), given(1.0), given(3.0), given(kNan), given(-kInfinity)};
  const CheckResult result = check(all, exact, Format::fp32, values, {});
  REQUIRE(result.values.size() == 5);
  CHECK(result.values[0].value == -kInfinity);  // ascending, NaN last
  CHECK(result.values[1].value == 1.0);
  CHECK(std::isnan(result.values[4].value));
  for (const std::size_t i : {1U, 2U}) {
    CHECK(result.values[i].verdict == Verdict::explained);
    CHECK(result.values[i].reason == Reason::reachable);
    CHECK(result.values[i].probability == 0.5);
    CHECK(result.values[i].distance_ulp == 0);
    CHECK(!result.values[i].p);
    CHECK(!result.values[i].seen);
  }
  for (const std::size_t i : {0U, 3U, 4U}) {
    CHECK(result.values[i].verdict == Verdict::impossible);
    CHECK(result.values[i].reason == Reason::unreachable);
    CHECK(result.values[i].probability == 0.0);
    CHECK(result.values[i].p == 0.0);
  }
  CHECK(result.values[3].distance_ulp == 1 << 22);  // 2 to 3: half of a binade of 2^23
  CHECK(!result.values[0].distance_ulp);
  CHECK(!result.values[4].distance_ulp);
  CHECK(result.values[1].error_ulp == -0x1p22);  // -0.5 in ulps of 1.5, 2^-23
  CHECK(result.verdict() == Verdict::impossible);
  REQUIRE(result.joint.has_value());
  CHECK(result.joint->p == 0.0);
}

TEST_CASE("by all orders, a value a billionth as likely as another is explained, and its frequency is not") {
  Enumeration all = two_results(1.0, 2.0);
  all.results.values[0].weight = 1 - 1e-9;
  all.results.values[1].weight = 1e-9;
  const std::vector<GivenResult> rare{given(2.0)};
  CHECK(check(all, exact_of({1.5}), Format::fp32, rare, {}).verdict() == Verdict::explained);
  const std::vector<GivenResult> often{given(1.0, 50), given(2.0, 50)};
  const CheckResult result = check(all, exact_of({1.5}), Format::fp32, often, {});
  CHECK(result.values[0].verdict == Verdict::explained);
  CHECK(result.values[1].verdict == Verdict::explained);
  REQUIRE(result.joint.has_value());
  CHECK(result.joint->p == 1e-4);
  CHECK(!result.joint_fits());
  CHECK(result.verdict() == Verdict::unlikely);
}

TEST_CASE("frequencies that fit are explained; +0 and -0 are two results") {
  const std::vector<GivenResult> fits{given(1.0, 52), given(2.0, 48)};
  const CheckResult result = check(two_results(1.0, 2.0), exact_of({1.5}), Format::fp32, fits, {});
  CHECK(result.joint_fits());
  CHECK(result.verdict() == Verdict::explained);
  CHECK(result.values[0].given == 52);

  const std::vector<GivenResult> negative{given(-0.0)};
  const CheckResult zeros = check(two_results(0.0, 2.0), exact_of({1.5}), Format::fp32, negative, {});
  CHECK(zeros.verdict() == Verdict::impossible);
  CHECK(zeros.values[0].distance_ulp == 0);
}

TEST_CASE("by samples, a value is explained where it was seen or lies between two samples") {
  const ExactValue exact = exact_of({1.5});
  const ValueVerdict seen = judged(1.25, {1.0, 1.25, 1.25, 2.0}, 1.0, exact);
  CHECK(seen.verdict == Verdict::explained);
  CHECK(seen.reason == Reason::seen);
  CHECK(seen.seen == 2);
  CHECK(!seen.p);
  CHECK(!seen.probability);
  const ValueVerdict inside = judged(1.125, {1.0, 2.0}, 1.0, exact);
  CHECK(inside.verdict == Verdict::explained);
  CHECK(inside.reason == Reason::inside_range);
  CHECK(inside.seen == 0);
  CHECK(inside.distance_ulp == 0);
}

TEST_CASE("by samples, a value beyond them is unlikely up to the bound over every order and impossible beyond it") {
  const ExactValue exact = exact_of({1.5});
  const std::vector<double> samples{1.25, 1.5, 1.75};
  const double at_bound = 1.5 + 0.375;
  const ValueVerdict unlikely = judged(at_bound, samples, 0.375, exact);
  CHECK(unlikely.verdict == Verdict::unlikely);
  CHECK(unlikely.reason == Reason::beyond_range);
  CHECK(unlikely.distance_ulp == 1 << 20);  // 0.125 in steps of 2^-23
  REQUIRE(unlikely.p.has_value());
  CHECK(same_bits(*unlikely.p, 2.0 / 4));
  const ValueVerdict beyond = judged(std::nextafter(static_cast<float>(at_bound), 9.0F), samples, 0.375, exact);
  CHECK(beyond.verdict == Verdict::impossible);
  CHECK(beyond.reason == Reason::outside_bound);
  CHECK(beyond.distance_ulp == (1 << 20) + 1);
  CHECK(beyond.p == 0.0);
  CHECK(judged(1.125, samples, 0.375, exact).verdict == Verdict::unlikely);
  CHECK(judged(1.0, samples, 0.375, exact).verdict == Verdict::impossible);
  CHECK(judged(-1.5, samples, 0.375, exact).verdict == Verdict::impossible);
}

TEST_CASE("without a finite bound nothing beyond the samples is impossible") {
  const ExactValue exact = exact_of({1.5});
  for (const double x : {1e30, -1e30, kInfinity, -kInfinity, kNan}) {
    const ValueVerdict none = judged(x, {1.0, 1.5, 2.0}, std::nullopt, exact);
    CHECK(none.verdict == Verdict::unlikely);
    CHECK(none.reason == Reason::not_bounded);
    const ValueVerdict infinite = judged(x, {1.0, 1.5, 2.0}, kInfinity, exact);
    CHECK(infinite.verdict == Verdict::unlikely);
    CHECK(infinite.reason == Reason::may_overflow);
    CHECK(same_bits(*infinite.p, std::isfinite(x) ? 2.0 / 4 : 3.0 / 4));
  }
}

TEST_CASE("inf and NaN are impossible where no order can overflow, and explained where they were seen") {
  const ExactValue exact = exact_of({1.5});
  for (const double x : {kInfinity, -kInfinity, kNan}) {
    const ValueVerdict v = judged(x, {1.0, 2.0}, 1.0, exact);
    CHECK(v.verdict == Verdict::impossible);
    CHECK(v.reason == Reason::no_overflow);
    CHECK(!v.distance_ulp);
    CHECK(!v.error_ulp);
    const ValueVerdict seen = judged(x, {1.0, x, 2.0}, kInfinity, exact);
    CHECK(seen.reason == Reason::seen);
    CHECK(seen.seen == 1);
  }
}

TEST_CASE("the range is that of the finite samples") {
  const ExactValue exact = exact_of({1e38});
  for (const double x : {kInfinity, -kInfinity, kNan})
    for (const double value : {3e38, -3e38}) {
      CHECK(judged(value, {1e38, x}, kInfinity, exact).verdict == Verdict::unlikely);
      CHECK(judged(value, {1e38, x}, kInfinity, exact).distance_ulp > 0);
      CHECK(judged(2e38, {1e38, x, 3e38}, kInfinity, exact).reason == Reason::inside_range);
      CHECK(judged(value, {x, x}, kInfinity, exact).verdict == Verdict::unlikely);  // no finite one
      CHECK(!judged(value, {x, x}, kInfinity, exact).distance_ulp);
    }
}

TEST_CASE("an exact sum near the end of the format can round to infinity though the bound is finite") {
  const ExactValue exact = exact_of({65519.0});  // fp16: 65520 is the first to round to infinity
  CHECK(judged(kInfinity, {65504}, 0.5, exact, Format::fp16).reason == Reason::no_overflow);
  CHECK(judged(kInfinity, {65504}, 1.0, exact, Format::fp16).reason == Reason::may_overflow);
}

TEST_CASE("where the terms hold inf or NaN, no other sum is possible") {
  const ExactValue infinite = exact_of({1.0, kInfinity});
  for (const double x : {1.0, -kInfinity}) {
    const ValueVerdict v = judged(x, {kInfinity}, kInfinity, infinite);
    CHECK(v.verdict == Verdict::impossible);
    CHECK(v.reason == Reason::terms_not_finite);
    CHECK(!v.error_ulp);
  }
  CHECK(judged(kInfinity, {kInfinity}, kInfinity, infinite).reason == Reason::seen);
  CHECK(judged(kNan, {kInfinity}, kInfinity, infinite).reason == Reason::may_overflow);
  const ExactValue nan = exact_of({1.0, kNan});
  CHECK(judged(kNan, {kNan}, std::nullopt, nan).reason == Reason::seen);
  for (const double x : {1.0, kInfinity, -kInfinity})
    CHECK(judged(x, {kNan}, std::nullopt, nan).reason == Reason::terms_not_finite);
}

TEST_CASE("of samples in bins the range still tells") {
  const ExactValue exact = exact_of({1.5});
  const ResultCounts binned = samples_of({1.0, 1.25, 1.75, 2.0}, exact, Format::fp32, 2);
  REQUIRE(binned.binned());
  const std::vector<GivenResult> values{given(0.5), given(1.0), given(1.3), given(2.25), given(kInfinity)};
  const CheckResult result = check(binned, 1.0, exact, values, {});
  CHECK(!result.joint_fits());  // there are impossible ones
  CHECK(result.values[0].reason == Reason::beyond_range);
  CHECK(result.values[1].reason == Reason::inside_range);
  CHECK(result.values[2].reason == Reason::inside_range);
  CHECK(!result.values[2].seen);
  CHECK(result.values[3].reason == Reason::beyond_range);
  CHECK(result.values[4].reason == Reason::no_overflow);
  const std::vector<GivenResult> inside{given(1.0), given(1.3)};
  const CheckResult unknown = check(binned, 1.0, exact, inside, {});
  CHECK(!unknown.joint);
  CHECK(unknown.verdict() == Verdict::explained);
}

TEST_CASE("by samples, values given more often than drawn do not fit") {
  const ExactValue exact = exact_of({1.5});
  std::vector<double> drawn;
  for (int i = 0; i < 2000; ++i) drawn.push_back(i % 4 == 0 ? 2.0 : 1.0);
  const ResultCounts samples = samples_of(drawn, exact);
  const std::vector<GivenResult> fits{given(1.0, 75), given(2.0, 25)};
  CHECK(check(samples, 1.0, exact, fits, {}).joint->p == 1.0);
  const std::vector<GivenResult> reversed{given(1.0, 25), given(2.0, 75)};
  const CheckResult result = check(samples, 1.0, exact, reversed, {});
  CHECK(result.joint->p == 1.0 / 13334);  // the least of 10 / 0.75 / 0.001 simulations
  CHECK(result.verdict() == Verdict::unlikely);
  const std::vector<GivenResult> one{given(2.0)};
  CHECK(!check(samples, 1.0, exact, one, {}).joint);
}

TEST_CASE("more confidence than 0.999 takes more simulations, so that a joint p can be small enough") {
  const std::vector<GivenResult> wrong{given(1.0, 100)};
  CheckOptions options;
  options.confidence = 0.99999;
  const CheckResult result = check(two_results(1.0, 2.0), exact_of({1.5}), Format::fp32, wrong, options);
  CHECK(result.joint->p == 1e-6);
  CHECK(!result.joint_fits());
}

TEST_CASE("with some of the samples only what more of them cannot change is a verdict") {
  const ExactValue exact = exact_of({10});
  const ResultCounts samples = samples_of({9, 10, 11}, exact);
  CheckOptions options;
  options.cut_short = true;
  const auto verdict = [&](std::vector<GivenResult> values) {
    const CheckResult result = check(samples, 4.0, exact, values, options);
    CHECK(result.cut_short);
    return result.verdict();
  };
  CHECK(verdict({given(10)}) == Verdict::explained);       // seen
  CHECK(verdict({given(9.5)}) == Verdict::explained);      // inside the range
  CHECK(verdict({given(12)}) == Verdict::none);            // more samples may reach it, or make it unlikely
  CHECK(verdict({given(15)}) == Verdict::impossible);      // beyond the bound
  CHECK(verdict({given(9), given(10)}) == Verdict::none);  // no joint test
  CHECK(verdict({given(10, 2)}) == Verdict::none);
  CHECK(verdict({given(9), given(15)}) == Verdict::impossible);
  options.cut_short = false;
  const std::vector<GivenResult> one{given(12)};
  CHECK(check(samples, 4.0, exact, one, options).verdict() == Verdict::explained);  // too few to call it unlikely
}

TEST_CASE("several results have no verdict where the joint test was stopped") {
  std::stop_source stopped;
  stopped.request_stop();
  CheckOptions options;
  options.stop = stopped.get_token();
  const std::vector<GivenResult> values{given(9), given(11)};
  const ExactValue exact = exact_of({10});
  CHECK(check(two_results(9, 11), exact, Format::fp32, values, options).verdict() == Verdict::none);
  CHECK(check(samples_of({9, 10, 11}, exact), 4.0, exact, values, options).verdict() == Verdict::none);
  const std::vector<GivenResult> unreachable{given(9), given(10)};
  CHECK(check(two_results(9, 11), exact, Format::fp32, unreachable, options).verdict() == Verdict::impossible);
}
