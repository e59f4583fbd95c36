#include "metrics/mean_difference.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "core/arithmetic_guard.hpp"

namespace orderlab {

namespace {

using boost::math::complement;
using boost::math::students_t_distribution;

const boost::math::normal_distribution<double> kStandardNormal;

MeanDifference judged(double difference, double standard_error, double degrees, double confidence) {
  MeanDifference found{.difference = difference, .standard_error = standard_error, .degrees = degrees};
  if (!(standard_error > 0)) return found;
  const students_t_distribution<double> t(degrees);
  const double half = boost::math::quantile(complement(t, (1 - confidence) / 2)) * standard_error;
  found.t = difference / standard_error;
  found.low = difference - half;
  found.high = difference + half;
  found.p = 2 * boost::math::cdf(complement(t, std::fabs(*found.t)));
  return found;
}

/// P(T > limit), T noncentral t, limit > 0.
double noncentral_tail(double limit, double degrees, double shift) {
  constexpr double kAsNormal = 1e6;  // degrees of freedom from which t is normal to 10^-6
  if (degrees > kAsNormal) return boost::math::cdf(kStandardNormal, shift - limit);
  // Far out T > limit means that chi / sqrt(degrees) < (shift + normal) / limit, where the normal part hardly counts.
  constexpr double kFar = 30;
  if (shift > kFar)
    return boost::math::cdf(boost::math::chi_squared_distribution<double>(degrees),
                            degrees * (shift / limit) * (shift / limit));
  return boost::math::cdf(complement(boost::math::non_central_t_distribution<double>(degrees, shift), limit));
}

double t_limit(double degrees, double level) {
  return boost::math::quantile(complement(students_t_distribution<double>(degrees), level / 2));
}

double square(double x) { return x * x; }

}  // namespace

MeanDifference welch_difference(const Moments& a, const Moments& b, double confidence) {
  const double of_a = a.variance() / a.n;
  const double of_b = b.variance() / b.n;
  const double variance = of_a + of_b;
  const double degrees = variance > 0 ? square(variance) / (square(of_a) / (a.n - 1) + square(of_b) / (b.n - 1)) : 0;
  return judged(a.mean - b.mean, std::sqrt(variance), degrees, confidence);
}

MeanDifference one_sample_difference(const Moments& d, double confidence) {
  return judged(d.mean, std::sqrt(d.variance() / d.n), d.n - 1, confidence);
}

double welch_power(double difference, const ArmPlan& a, const ArmPlan& b, double level) {
  const double nu_a = a.runs - 1;
  const double nu_b = b.runs - 1;
  const double nu = nu_a + nu_b;
  const double variance = square(a.sd) / a.runs + square(b.sd) / b.runs;
  const double shift = difference / std::sqrt(variance);
  const auto power_given = [&](double share) {  // the share of S that is a's
    const double of_a = square(a.sd) * share / (nu_a * a.runs);
    const double of_b = square(b.sd) * (1 - share) / (nu_b * b.runs);
    const double estimate = of_a + of_b;  // estimate of the variance, over S
    const double degrees = square(estimate) / (square(of_a) / nu_a + square(of_b) / nu_b);
    return noncentral_tail(t_limit(degrees, level) * std::sqrt(nu * estimate / variance), nu, shift);
  };
  constexpr double kConcentrated = 500;  // degrees of freedom from which B is next to its mean
  if (std::min(nu_a, nu_b) > kConcentrated) return power_given(nu_a / nu);
  constexpr int kShares = 64;
  const boost::math::beta_distribution<double> shares(nu_a / 2, nu_b / 2);
  double power = 0;
  for (int i = 0; i < kShares; ++i) power += power_given(boost::math::quantile(shares, (i + 0.5) / kShares));
  return power / kShares;
}

double paired_power(double difference, const ArmPlan& pairs, double level) {
  const double degrees = pairs.runs - 1;
  return noncentral_tail(t_limit(degrees, level), degrees, difference * std::sqrt(pairs.runs) / pairs.sd);
}

std::optional<std::uint64_t> least_runs(const std::function<double(double n)>& power_of, double power, double guess) {
  constexpr double kMost = 0x1p53;
  constexpr double kFormulaSuffices = 1e7;  // runs from which t adds less than rounding up does
  if (!(guess < kMost)) return std::nullopt;
  if (guess > kFormulaSuffices) return static_cast<std::uint64_t>(std::ceil(guess));
  double low = 1;  // not enough
  double high = std::max(2.0, std::ceil(guess));
  while (power_of(high) < power) {
    low = high;
    high = std::ceil(high * 1.3) + 1;
  }
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (power_of(middle) < power ? low : high) = middle;
  }
  return static_cast<std::uint64_t>(high);
}

double normal_runs(double difference, double variance, double power, double level) {
  const double z =
      boost::math::quantile(complement(kStandardNormal, level / 2)) + boost::math::quantile(kStandardNormal, power);
  return square(std::max(z, 0.0)) * variance / square(difference);
}

}  // namespace orderlab
