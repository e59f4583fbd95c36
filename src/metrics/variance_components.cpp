#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "metrics/moments.hpp"
#include "orderlab/error.hpp"
#include "orderlab/run_summary.hpp"

namespace orderlab {

namespace {

/// Share of pairs of runs that order_difference and seed_difference hold for.
constexpr double kPairs = 0.95;

/// Upper `tail` point of F with n1 and n2 degrees of freedom; without n2 infinitely many, chi-square / n1.
double upper_f(double tail, double n1) {
  return boost::math::quantile(boost::math::complement(boost::math::chi_squared_distribution<double>(n1), tail)) / n1;
}

double upper_f(double tail, double n1, double n2) {
  return boost::math::quantile(boost::math::complement(boost::math::fisher_f_distribution<double>(n1, n2), tail));
}

/// Both mean squares and their degrees of freedom, S2 last.
struct MeanSquares {
  double s1;
  double s2;
  double n1;
  double n2;
};

double clamped_root(double variance) { return std::sqrt(std::max(variance, 0.0)); }

/// Limits of S1 - S2, each with probability `tail` beyond it: [BurdickGraybill1992].
double difference_low(const MeanSquares& m, double tail) {
  const double f = upper_f(tail, m.n1, m.n2);
  const double g1 = 1 - 1 / upper_f(tail, m.n1);
  const double h2 = 1 / upper_f(1 - tail, m.n2) - 1;
  const double g12 = ((f - 1) * (f - 1) - g1 * g1 * f * f - h2 * h2) / f;
  const double v = g1 * g1 * m.s1 * m.s1 + h2 * h2 * m.s2 * m.s2 + g12 * m.s1 * m.s2;
  return m.s1 - m.s2 - clamped_root(v);
}

double difference_high(const MeanSquares& m, double tail) {
  const double f = upper_f(1 - tail, m.n1, m.n2);
  const double h1 = 1 / upper_f(1 - tail, m.n1) - 1;
  const double g2 = 1 - 1 / upper_f(tail, m.n2);
  const double h12 = ((1 - f) * (1 - f) - h1 * h1 * f * f - g2 * g2) / f;
  const double v = h1 * h1 * m.s1 * m.s1 + g2 * g2 * m.s2 * m.s2 + h12 * m.s1 * m.s2;
  return m.s1 - m.s2 + clamped_root(v);
}

/// Limits of S1 + w S2, w >= 0: the same source.
double sum_low(const MeanSquares& m, double w, double tail) {
  const double g1 = (1 - 1 / upper_f(tail, m.n1)) * m.s1;
  const double g2 = (1 - 1 / upper_f(tail, m.n2)) * w * m.s2;
  return m.s1 + w * m.s2 - std::sqrt(g1 * g1 + g2 * g2);
}

double sum_high(const MeanSquares& m, double w, double tail) {
  const double h1 = (1 / upper_f(1 - tail, m.n1) - 1) * m.s1;
  const double h2 = (1 / upper_f(1 - tail, m.n2) - 1) * w * m.s2;
  return m.s1 + w * m.s2 + std::sqrt(h1 * h1 + h2 * h2);
}

/// Half of `confidence` on either side.
double both_tails(double confidence) { return (1 - confidence) / 2; }

SdEstimate order_estimate(const MeanSquares& m, double tail) {
  return {std::sqrt(m.s2), std::sqrt(m.s2 / upper_f(tail, m.n2)), std::sqrt(m.s2 / upper_f(1 - tail, m.n2))};
}

SdEstimate seed_estimate(const MeanSquares& m, double h, double tail) {
  return {clamped_root((m.s1 - m.s2) / h), clamped_root(difference_low(m, tail) / h),
          clamped_root(difference_high(m, tail) / h)};
}

/// seed^2 + order^2 = (S1 + (h - 1) S2) / h, whether or not the estimate of seed^2 is negative.
SdEstimate run_estimate(const MeanSquares& m, double h, double tail) {
  return {std::sqrt((m.s1 + (h - 1) * m.s2) / h), clamped_root(sum_low(m, h - 1, tail) / h),
          std::sqrt(sum_high(m, h - 1, tail) / h)};
}

/// Two values that differ with this sd each are at most so far apart in kPairs of all pairs.
double pair_difference(double sd) {
  const double z = boost::math::quantile(boost::math::normal_distribution<double>(), (1 + kPairs) / 2);
  return z * std::sqrt(2.0) * sd;
}

DifferingPairs count_differing(std::span<const std::vector<double>> seeds, double confidence) {
  DifferingPairs found;
  for (const std::vector<double>& runs : seeds)
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
      ++found.pairs;
      if (runs[i] < runs[i + 1] || runs[i] > runs[i + 1]) ++found.differing;
    }
  if (found.pairs == 0) return found;
  found.high_share = 1;
  if (found.differing < found.pairs) {
    const auto k = static_cast<double>(found.differing);
    const auto n = static_cast<double>(found.pairs);
    found.high_share = boost::math::quantile(boost::math::beta_distribution<double>(k + 1, n - k), confidence);
  }
  return found;
}

void check(std::span<const std::vector<double>> seeds, double confidence) {
  if (seeds.empty()) throw Error(ErrorKind::usage, "no seeds: components of variance need at least one run");
  if (!(confidence > 0 && confidence < 1))
    throw Error(ErrorKind::usage, "confidence " + shortest(confidence) + ": must lie between 0 and 1, both excluded");
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (seeds[i].empty()) throw Error(ErrorKind::usage, "seed " + std::to_string(i) + ": has no runs; leave it out");
    for (const double y : seeds[i])
      if (!std::isfinite(y))
        throw Error(ErrorKind::usage, "seed " + std::to_string(i) + ": has a run with " + shortest(y) +
                                          "; components of variance are of finite numbers");
  }
}

}  // namespace

VarianceComponents variance_components(std::span<const std::vector<double>> runs_of_seeds, double confidence) {
  const FloatEnvironment environment;
  check(runs_of_seeds, confidence);
  VarianceComponents found;
  found.confidence = confidence;
  std::vector<double> means;
  std::vector<double> all;
  double within = 0;
  double reciprocals = 0;  // 1 / b_i, added up
  for (const std::vector<double>& runs : runs_of_seeds) {
    const Moments seed(runs);
    means.push_back(seed.mean);
    within += seed.squares;
    reciprocals += 1 / static_cast<double>(runs.size());
    all.insert(all.end(), runs.begin(), runs.end());
  }
  found.seeds = means.size();
  found.runs = all.size();
  found.seed_degrees = found.seeds - 1;
  found.order_degrees = found.runs - found.seeds;
  found.differing = count_differing(runs_of_seeds, confidence);

  const auto a = static_cast<double>(found.seeds);
  const double tail = both_tails(confidence);
  const Moments between(means);
  found.mean = between.mean;
  if (found.runs > 1) found.sd = std::sqrt(Moments(all).variance());
  if (found.seeds > 1) {
    const boost::math::students_t_distribution<double> t(a - 1);
    const double half =
        boost::math::quantile(boost::math::complement(t, tail)) * std::sqrt(between.squares / ((a - 1) * a));
    found.mean_low = found.mean - half;
    found.mean_high = found.mean + half;
  }
  if (found.order_degrees == 0) return found;

  MeanSquares m{0, 0, a - 1, static_cast<double>(found.order_degrees)};
  m.s2 = within / m.n2;
  found.order = order_estimate(m, tail);
  found.order_difference = pair_difference(std::sqrt(m.s2 / upper_f(confidence, m.n2)));
  if (found.seeds < 2) return found;
  const double h = a / reciprocals;
  m.s1 = h * between.squares / m.n1;
  found.seed = seed_estimate(m, h, tail);
  found.run = run_estimate(m, h, tail);
  found.seed_difference = pair_difference(std::sqrt(sum_high(m, h - 1, 1 - confidence) / h));
  return found;
}

}  // namespace orderlab
