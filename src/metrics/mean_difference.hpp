// The difference of two means: Student's t tests of it, their power, and the runs that a power takes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "metrics/moments.hpp"

namespace orderlab {

/// A difference of means, or a mean of differences, with what t says of it.
struct MeanDifference {
  double difference = 0;
  double standard_error = 0;
  double degrees = 0;              ///< degrees of freedom, a real number
  std::optional<double> t = {};    ///< all four are empty where the standard error is 0
  std::optional<double> low = {};  ///< limits of the interval
  std::optional<double> high = {};
  std::optional<double> p = {};  ///< two-sided
};

/// mean of a - mean of b, whose variances may differ, with the interval of that confidence.
///
/// Shape:  two values or more each.
/// Source: [Welch1947], degrees of freedom by [Satterthwaite1946].
MeanDifference welch_difference(const Moments& a, const Moments& b, double confidence);

/// The mean of two or more values against 0; of differences between pairs: the paired t test.
MeanDifference one_sample_difference(const Moments& d, double confidence);

/// Runs of one model: how many, and the standard deviation that they are taken to have.
struct ArmPlan {
  double runs;
  double sd;
};

/// Probability that Welch's test at two-sided `level` finds `difference` > 0, with its sign, between normal scores.
///
/// S = s_a^2 nu_a / sd_a^2 + s_b^2 nu_b / sd_b^2 and the share B of it that is a's are independent, chi-square and
/// beta. Given B both the statistic over a noncentral t of nu_a + nu_b degrees of freedom and the degrees of freedom of
/// the test are fixed, so the power is the mean over B of a noncentral t's tail.
///
/// Shape: two runs or more each, an sd above 0.
/// Error: below 0.002, from the mean over 64 quantiles of B.
double welch_power(double difference, const ArmPlan& a, const ArmPlan& b, double level);

/// The same of the t test of paired scores: `pairs` has the number of pairs and the sd of their differences.
double paired_power(double difference, const ArmPlan& pairs, double level);

/// The least number n >= 2 with power(n) >= `power`, where power(n) grows with n; `guess` is where to look first. Empty
/// above 2^53.
std::optional<std::uint64_t> least_runs(const std::function<double(double n)>& power_of, double power, double guess);

/// Runs by the normal formula: (z_(1 - level / 2) + z_power)^2 variance / difference^2, `variance` that of one
/// difference of two runs: sd_a^2 + sd_b^2. Below what a t test takes by 1 to 3 runs.
double normal_runs(double difference, double variance, double power, double level);

}  // namespace orderlab
