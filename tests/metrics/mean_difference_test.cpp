// Student's t tests against published results, their power against published tables and numbers of another program.
#include "metrics/mean_difference.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace orderlab;

namespace {

bool within(double a, double b, double error) { return std::fabs(a - b) <= error; }

// Additional hours of sleep with two drugs, ten patients: Student, The probable error of a mean, Biometrika 6, 1
// (1908). Results as the documentation of R prints them for its data set `sleep`.
const std::vector<double> kFirstDrug{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const std::vector<double> kSecondDrug{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

}  // namespace

TEST_CASE("Welch's test of Student's data gives what R prints") {
  const MeanDifference found = welch_difference(Moments(kFirstDrug), Moments(kSecondDrug), 0.95);
  CHECK(within(found.difference, 0.75 - 2.33, 1e-12));
  CHECK(within(*found.t, -1.8608, 5e-5));
  CHECK(within(found.degrees, 17.776, 5e-4));
  CHECK(within(*found.p, 0.07939, 5e-6));
  CHECK(within(*found.low, -3.3654832, 5e-8));
  CHECK(within(*found.high, 0.2054832, 5e-8));
}

TEST_CASE("the paired t test of Student's data gives what R prints") {
  std::vector<double> d;
  for (std::size_t i = 0; i < kFirstDrug.size(); ++i) d.push_back(kFirstDrug[i] - kSecondDrug[i]);
  const MeanDifference found = one_sample_difference(Moments(d), 0.95);
  CHECK(within(*found.t, -4.0621, 5e-5));
  CHECK(found.degrees == 9);
  CHECK(within(*found.p, 0.002833, 5e-7));
  CHECK(within(*found.low, -2.4598858, 5e-8));
  CHECK(within(*found.high, -0.7001142, 5e-8));
}

TEST_CASE("without spread there is a difference, and nothing that t says of it") {
  const std::vector<double> a{0.1, 0.1, 0.1};
  const std::vector<double> b{0.3, 0.3};
  const MeanDifference found = welch_difference(Moments(a), Moments(b), 0.95);
  CHECK(found.difference == 0.1 - 0.3);
  CHECK(found.standard_error == 0);
  CHECK(!found.p);
  CHECK(!found.low);
  const std::vector<double> c{0.2, 0.4};
  const MeanDifference one = welch_difference(Moments(a), Moments(c), 0.95);
  CHECK(within(one.degrees, 1, 1e-12));  // only b's variance is not 0
  CHECK(one.p);
}

TEST_CASE("the power of a paired t test is the tail of a noncentral t") {
  // Integrated over the chi distribution in Python; the same program gives the 0.8689528 that R's documentation of
  // power.t.test has for two samples of 20.
  struct {
    double d, n, power;
  } const known[] = {{0.5, 33, 0.795364824}, {0.5, 34, 0.807776686}, {1, 10, 0.803096209},
                     {2, 4, 0.754983840},    {3, 3, 0.745268007},    {1.5, 5, 0.710701795}};
  for (const auto& [d, n, power] : known) CHECK(within(paired_power(d, {n, 1}, 0.05), power, 1e-6));
  CHECK(within(paired_power(6, {10, 6}, 0.05), paired_power(1, {10, 1}, 0.05), 1e-12));
  CHECK(paired_power(40, {5, 1}, 0.05) > 0.999999);
  // Two pairs: T > 12.7 sqrt(chi-square of 1 degree) nearly always where the shift is 1000 times as large.
  CHECK(
      within(paired_power(25 * std::sqrt(0.5), {2, 1}, 0.05), paired_power(29.9 * std::sqrt(0.5), {2, 1}, 0.05), 0.06));
  const double near = paired_power(29.9 / std::sqrt(2.0), {2, 1}, 0.05);
  const double far = paired_power(30.1 / std::sqrt(2.0), {2, 1}, 0.05);  // by the other formula
  CHECK(near < far);
  CHECK(within(near, far, 0.005));
}

TEST_CASE("the power of Welch's test is exact, also for different variances and sizes") {
  // By integrating over both sample variances in Python.
  struct {
    double d, sd_a, n_a, sd_b, n_b, power;
  } const known[] = {{1, 1, 20, 1, 20, 0.86827},
                     {2, 1, 5, 1, 5, 0.76683},
                     {2, 1, 4, 3, 9, 0.36102},
                     {3, 1, 3, 1, 3, 0.67691},
                     {1, 0.5, 10, 2, 10, 0.28587}};
  for (const auto& [d, sd_a, n_a, sd_b, n_b, power] : known) {
    CAPTURE(n_a);
    CHECK(within(welch_power(d, {n_a, sd_a}, {n_b, sd_b}, 0.05), power, 0.002));
  }
  // From 500 degrees of freedom on B stands at its mean: no jump.
  CHECK(within(welch_power(0.15, {501, 1}, {501, 1}, 0.05), welch_power(0.15, {502, 1}, {502, 1}, 0.05), 0.001));
}

TEST_CASE("the runs needed are those of published tables") {
  const auto runs = [](double d) {
    return *least_runs(
        [&](double n) {
          return welch_power(d, {n, 1}, {n, 1}, 0.05);
        },
        0.8, normal_runs(d, 2, 0.8, 0.05));
  };
  // J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd ed. (1988), table 2.4.1: 393, 64, 26 runs of
  // each for d = 0.2, 0.5, 0.8; for 0.2 the exact number is 394.
  CHECK(runs(0.2) == 394);
  CHECK(runs(0.5) == 64);
  CHECK(runs(0.8) == 26);
  const auto pairs = [](double d) {
    return *least_runs([&](double n) { return paired_power(d, {n, 1}, 0.05); }, 0.8, normal_runs(d, 1, 0.8, 0.05));
  };
  CHECK(pairs(0.5) == 34);  // between the two powers above
  CHECK(pairs(1) == 10);
  CHECK(pairs(100) == 2);
}

TEST_CASE("the normal formula is z^2 variance / d^2, and plans of it alone are rounded up") {
  const double z = 1.959963984540054 + 0.8416212335729143;
  CHECK(within(normal_runs(0.5, 2, 0.8, 0.05), z * z * 8, 1e-9));
  CHECK(normal_runs(0.5, 2, 0.01, 0.05) == 0);  // less power than without an effect
  CHECK(least_runs([](double) { return 0.0; }, 0.8, 1e8 + 0.5) == 100'000'001U);
  CHECK(!least_runs([](double) { return 0.0; }, 0.8, 1e17));
}
