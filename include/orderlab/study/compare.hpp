// Is model A better than model B, or is it seed luck? From scores of independent runs of both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/scores.hpp"

namespace orderlab::study {

/// Confidence of all intervals of a comparison, and the level of its tests: a p-value below it is a difference shown.
inline constexpr double kCompareConfidence = 0.95;
inline constexpr double kCompareLevel = 0.05;

struct CompareRequest {
  bool paired = false;           ///< runs of equal seeds belong together; without seeds, runs of equal position
  bool lower_is_better = false;  ///< scores are losses or errors

  /// The difference whose power is planned; empty: the one observed.
  std::optional<double> difference = {};
  double power = 0.8;  ///< probability with which that difference is to be shown

  std::optional<std::uint64_t> items = {};    ///< size of the test set; then every score is a share of it
  std::optional<std::uint64_t> best_of = {};  ///< runs of which the best is picked; empty: all
  std::uint64_t seed = 1;                     ///< seed of drawn arrangements
};

/// Runs of one model that are compared.
struct ComparedArm {
  std::string source;  ///< file; empty for a list
  std::vector<double> scores;
  double mean = 0;
  std::optional<double> low = {};  ///< limits of the mean, by Student's t; empty where all scores are equal
  std::optional<double> high = {};
  double sd = 0;
  double least = 0;
  double greatest = 0;
  std::vector<std::string> left_out;  ///< in a paired comparison, seeds that the other model lacks

  std::uint64_t best_of = 0;  ///< runs of which the best is picked
  double best_gain = 0;       ///< by how much that is better than the mean run, on average; >= 0

  /// Binomial standard error sqrt(mean (1 - mean) / items) of one score on a new test set.
  std::optional<double> item_error = {};

  /// Largest share of sd^2 that items can make which flip from run to run, each independently: min(1, item_error^2 /
  /// sd^2). Empty where the sd is 0.
  std::optional<double> item_share = {};
};

/// What runs it takes to show a difference.
struct PowerPlan {
  double difference = 0;  ///< > 0
  double power_now = 0;   ///< power of the runs that there are

  /// Runs of each model, or pairs, with which the test by t shows the difference with the probability asked for, if the
  /// standard deviations are those observed; empty above 2^53. `low` and `high`: for the limits of the interval of the
  /// standard deviation of a difference of two runs, by chi-square.
  std::optional<std::uint64_t> runs = {};
  std::optional<std::uint64_t> runs_low = {};
  std::optional<std::uint64_t> runs_high = {};
  std::optional<std::uint64_t> normal_runs = {};  ///< the normal formula alone, rounded up
};

struct CompareFinding {
  CompareRequest request;
  bool percent = false;  ///< scores were given in per cent; all numbers here are shares
  ComparedArm a;
  ComparedArm b;

  double difference = 0;            ///< mean of A - mean of B
  std::optional<double> low = {};   ///< empty where no score of A, and none of B, differs from the others
  std::optional<double> high = {};  ///< paired: where all differences are equal
  std::optional<double> t = {};
  double degrees = 0;                        ///< degrees of freedom
  std::optional<double> p = {};              ///< two-sided, of Welch's test or, paired, of the paired t test
  std::optional<double> sd_difference = {};  ///< paired: sd of the differences

  double p_permutation = 1;
  double permutation_error = 0;     ///< standard error of it, by drawing; 0 where all arrangements are counted
  double arrangements = 0;          ///< that it is counted over; infinite from 2^1024 on
  bool all_arrangements = false;    ///< else they were drawn
  std::uint64_t unequal_pairs = 0;  ///< paired: those whose signs matter

  std::uint64_t unused_pairs = 0;  ///< seeds that both have, of a comparison that is not paired

  std::optional<PowerPlan> plan;  ///< empty where there is no spread, or no difference to plan for

  /// p, or where there is none that of the permutation test, is below kCompareLevel.
  bool shown() const { return p.value_or(p_permutation) < kCompareLevel; }

  /// By how much the better mean is better.
  bool a_is_better() const { return request.lower_is_better ? difference < 0 : difference > 0; }
};

/// Error(usage) for a request that no scores could answer.
void validate(const CompareRequest& request);

/// Both means, the interval of their difference, two tests of it, and the runs that a difference takes.
///
/// Intervals and `p` are of normal scores: Welch's test, whose variances may differ, or the paired t test. The
/// permutation test assumes no distribution; it counts splits of all scores, or the signs of the differences of pairs
/// that differ. All runs share what they were trained and tested on: the answer is about new runs, not about new data.
///
/// Errors: usage for fewer than 2 scores or pairs, a seed that occurs twice in a paired comparison, no common seed,
/// lists of different lengths to be paired, scores in per cent and scores that are not, best_of above the runs there
/// are, items with a score that is no share.
CompareFinding compare(const Scores& a, const Scores& b, const CompareRequest& request);

/// Probability that `runs` >= 2 of each model, or pairs, show `difference` > 0, by the standard deviations observed.
/// Shape: finding.plan is not empty.
double power_with(const CompareFinding& finding, double difference, double runs);

}  // namespace orderlab::study
