// What many runs give: one number of each sample, or run of a program, over all of them, and what seed and order
// contribute to its variance.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orderlab {

/// One number of each sample, or run of a program, over all of them.
struct RunSummary {
  double mean = 0;
  std::optional<double> sd = {};  ///< with n - 1; empty for one number, and where the squares overflow
  double min = 0;
  double low = 0;  ///< 5 % quantile (inverse ECDF), as are the median and `high`
  double median = 0;
  double high = 0;  ///< 95 % quantile
  double max = 0;

  /// (max - min) / mean; 0 where all are equal.
  double spread() const;
};

/// All 0 for no numbers. The mean adds them in the order given.
RunSummary summary_of_runs(std::vector<double> values);

/// A standard deviation and the interval that holds its true value with the confidence asked for. The limits are empty
/// where too few runs say anything.
struct SdEstimate {
  double sd = 0;
  std::optional<double> low = {};
  std::optional<double> high = {};
};

/// How often two runs of one seed differ, by pairs that have no run in common: the first and second run, the third and
/// fourth, ... of each seed.
struct DifferingPairs {
  std::uint64_t pairs = 0;
  std::uint64_t differing = 0;            ///< their values are not equal
  std::optional<double> high_share = {};  ///< upper limit of the probability to differ; empty without pairs
};

/// y_ij = mu + seed_i + order_ij: runs j = 1 .. b_i of each seed i = 1 .. a, which differ by their order alone.
/// Standard deviations are in the unit of y.
struct VarianceComponents {
  std::uint64_t seeds = 0;  ///< a
  std::uint64_t runs = 0;   ///< all of them
  double confidence = 0.95;

  double mean = 0;  ///< mean of the means of the seeds, so that each seed counts alike
  std::optional<double> mean_low = {};
  std::optional<double> mean_high = {};
  std::optional<double> sd = {};  ///< standard deviation of all runs, with divisor runs - 1; empty for one run

  std::optional<SdEstimate> seed = {};   ///< empty for one seed, and where no seed has two runs
  std::optional<SdEstimate> order = {};  ///< empty where no seed has two runs
  std::optional<SdEstimate> run = {};    ///< sqrt(seed^2 + order^2), of one run of a new seed; empty as `seed`
  std::uint64_t seed_degrees = 0;        ///< degrees of freedom: a - 1
  std::uint64_t order_degrees = 0;       ///< runs - a

  /// With the confidence asked for, 95 % of all pairs of runs of one seed differ by at most this.
  std::optional<double> order_difference = {};
  /// The same of pairs of runs of two seeds.
  std::optional<double> seed_difference = {};

  DifferingPairs differing;
};

/// Analysis of variance of `runs_of_seeds`: element i has the runs of seed i. seeds and orders are taken to be drawn at
/// random, normally distributed and independent.
///
/// Estimates: order^2 = S2 = sum_ij (y_ij - m_i)^2 / (runs - a), m_i the mean of seed i. S1 = h sum_i (m_i - m)^2 /
///            (a - 1), h the harmonic mean of the b_i, m the mean of the m_i; seed^2 = (S1 - S2) / h, 0 where that is
///            negative. Equal b_i give the usual mean squares. [BurdickGraybill1992]
/// Intervals: two-sided. order: chi-square. seed and run: modified large-sample limits [BurdickGraybill1992], near the
///            nominal coverage for any ratio of the components. mean: Student's t of the m_i. With equal b_i those of
///            order and mean are exact, with others that of the mean, of seed and of run is an approximation.
/// order_difference: the difference of two runs of one seed is normal with sd sqrt(2) order, so 95 % of pairs differ by
///            at most 1.96 sqrt(2) order; the limit has the one-sided upper limit of order in its place, and
///            seed_difference that of run. Where all runs of every seed agree, order_difference is 0, which chi-square
///            claims of a normal distribution; `differing` claims less, of any.
/// differing: high_share is the one-sided upper limit of [ClopperPearson1934] for the mean probability over these
/// seeds.
///
/// Errors: usage without seeds, for a seed without runs, a value that is not finite, a confidence outside (0, 1).
VarianceComponents variance_components(std::span<const std::vector<double>> runs_of_seeds, double confidence = 0.95);

}  // namespace orderlab
