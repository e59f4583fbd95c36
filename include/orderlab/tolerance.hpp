// Tolerances: how far results lie from a reference or from each other, and distribution-free limits of that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

/// Least number N of independent values for which the rank-th largest is a tolerance limit: at least a fraction
/// `coverage` of the distribution lies at or below it, with probability >= `confidence`, for any distribution.
///
/// N is the least with P(Binomial(N, 1 - coverage) < rank) <= 1 - confidence.
/// Shape:  coverage and confidence in (0, 1), rank >= 1, else Error(usage).
/// Source: [Wilks1941], [David2003].
std::uint64_t needed_samples(double coverage, double confidence, std::uint64_t rank = 1);

/// The largest rank that N values allow; 0 when N < needed_samples(coverage, confidence).
std::uint64_t limit_rank(std::uint64_t samples, double coverage, double confidence);

/// The coverage of one of `outputs` independent outputs of one distribution, all of which are within a limit with
/// probability `coverage`: coverage^(1/outputs).
double coverage_of_one(double coverage, std::uint64_t outputs);

/// How many values to draw, and which of the largest is the limit.
struct SamplingRule {
  std::uint64_t samples;
  std::uint64_t rank;
};

/// The least rank, with the least N for it, for which the limit is not too far out: in at least half of all samplings
/// a fresh value exceeds it with probability >= (1 - coverage) / 2. With tails that fall off like x^-2 or faster
/// (finite variance) its median is then at most sqrt(2) times the true quantile. 9151 values, rank 5, for 99.9 % and
/// 95 %.
SamplingRule sampling_rule(double coverage, double confidence);

/// The same where a draw takes so many additions that all would take more than kMostLimitAdditions: the greatest rank
/// whose draws take less, or 1. The limit holds with the same confidence, and is farther out: 2995 values, rank 1, for
/// 99.9 % and 95 %. It depends on nothing that is drawn.
SamplingRule sampling_rule(double coverage, double confidence, double additions);

/// About a minute.
inline constexpr double kMostLimitAdditions = 0x1p33;

/// What results are compared with: the exact sum, another run, or a run of another order of the same terms.
enum class Against : std::uint8_t { exact, run, order };

constexpr std::string_view name_of(Against against) {
  constexpr std::string_view kNames[] = {"exact", "run", "order"};
  return kNames[static_cast<std::size_t>(against)];
}

/// Results that one draw of a comparison takes from the order that is judged.
constexpr std::uint64_t results_per_draw(Against against) { return against == Against::run ? 2 : 1; }

/// The order that results are compared with. It adds the same terms.
struct OtherOrder {
  Order order;
  std::optional<Format> accumulate = {};  ///< empty: as the order that is judged
  std::optional<Format> result = {};

  Formats formats(const Formats& judged) const {
    return {judged.terms, accumulate.value_or(judged.accumulate), result.value_or(judged.result)};
  }
};

/// The seed that the other order draws with, so that both draw independently of each other.
constexpr std::uint64_t seed_of_other(std::uint64_t seed) { return DrawPath{.seed = seed, .site = 1}.key(); }

/// A distance between two results, or of one from its reference: as it is, relative, in ulps of the exact sum. Rounded
/// upward, infinite where a number is inf or NaN; relative to 0, and in ulps of a sum of 0, any but 0 is infinite.
struct Deviation {
  double absolute = 0;
  double relative = 0;
  double ulp = 0;
  double from_exact = 0;  ///< absolute, from the exact sum alone; between results as `absolute`
};

/// Measures the results of one sum.
class Yardstick {
 public:
  /// Shape: `exact` is finite, else Error(input).
  Yardstick(const ExactValue& exact, Format result);

  /// Whether the exact sum is too large for the result format: then every result is infinitely far from it.
  bool overflows() const;

  /// The largest distance of `result` from the exact sum and from its correctly rounded values in the result format and
  /// in the wider ones (fp32, fp64). Distance is convex, so any reference between them is as near.
  Deviation from_reference(double result) const;

  /// Distance between two results, relative to the smaller one.
  Deviation between(double one, double other) const;

  /// Any distance between results none of which is smaller than `least` in magnitude.
  Deviation between_results_above(double least, double absolute) const;

 private:
  double in_ulps(double absolute) const;

  ExactValue exact_;
  bool exact_is_double_;
  std::array<double, 3> rounded_;
  double least_;  ///< no reference is smaller in magnitude
  int ulp_exponent_;
};

/// The largest of many values, independent of the order in which they are added. None is NaN; -0 counts as +0.
class LargestValues {
 public:
  explicit LargestValues(std::uint64_t keep) : keep_(keep) {}

  void add(double value);

  /// Errors: usage where the other keeps more or fewer.
  void merge(const LargestValues& other);

  /// The rank-th largest. Shape: 1 <= rank <= keep, and at least that many were added.
  double of_rank(std::uint64_t rank) const;

  std::uint64_t keep() const { return keep_; }

  /// The largest added, at most keep() of them, descending.
  std::vector<double> largest() const;

  /// All of it as bytes, equal for equal values added in any order, and back. Any other bytes give Error(input), or
  /// values of which they are the wire form.
  std::string wire() const;
  static LargestValues from_wire(std::string_view bytes);

 private:
  void drop_small();

  std::uint64_t keep_;
  std::vector<double> values_;
};

/// Deviations of independent draws: the largest of them, and exact sums.
class DeviationTally {
 public:
  /// Keeps the `keep` largest.
  explicit DeviationTally(std::uint64_t keep) : absolute_(keep), relative_(keep), ulp_(keep) {}

  void add(const Deviation& deviation);
  void add_input(double sum_abs, double condition);

  /// Errors: usage where the other keeps more or fewer.
  void merge(const DeviationTally& other);

  std::uint64_t draws() const { return draws_; }
  std::uint64_t nonfinite() const { return nonfinite_; }

  /// The rank-th largest in each unit on its own.
  Deviation limit(std::uint64_t rank) const;

  /// Root of the mean square of the finite absolute deviations; empty without one.
  std::optional<double> rms() const;

  /// The same, and the largest, of the deviations from the exact sum alone.
  std::optional<double> rms_from_exact() const;
  double largest_from_exact() const { return largest_from_exact_; }

  /// Greatest sum |x_i| and condition number of the inputs added.
  double sum_abs() const { return sum_abs_; }
  double condition() const { return condition_; }

  /// All of it as bytes, equal for tallies of equal draws however they were split and merged, and back. Any other bytes
  /// give Error(input), or a tally of which they are the wire form.
  std::string wire() const;
  static DeviationTally from_wire(std::string_view bytes);

  LargestBounds bounds;
  LargestBounds other_bounds;  ///< of the other order

 private:
  LargestValues absolute_;
  LargestValues relative_;
  LargestValues ulp_;
  ExactSum squares_;
  ExactSum squares_from_exact_;
  double largest_from_exact_ = 0;
  std::uint64_t draws_ = 0;
  std::uint64_t nonfinite_ = 0;
  double sum_abs_ = 0;
  double condition_ = 0;
};

/// Draws options.begin .. options.end-1 on one input. Draw i is sample i against its references, sample 2i against
/// sample 2i+1, or sample i against sample i of `other`, so that draws are independent. Fewer when stopped. Depends on
/// the seeds and the range alone.
///
/// Shape:  `other` adds the same terms with seed_of_other; it is there for Against::order alone.
/// Errors: usage for an empty range, or one whose samples end beyond 2^48.
DeviationTally sample_deviations(const Evaluator& evaluator, const Yardstick& yardstick, Against against,
                                 std::uint64_t keep, const SampleOptions& options, const Evaluator* other = nullptr);

/// Generated inputs: input i has the terms that generate_terms draws for this seed and input i, so inputs of different
/// seeds are independent. An input with an infinite term is infinitely far off.
struct InputFamily {
  std::string distribution;
  std::size_t n = 0;
  Formats formats;
  std::uint64_t seed = 1;
};

/// Draws on inputs of their own.
struct InputDraws {
  DeviationTally tally;
  std::optional<double> mean_largest;  ///< mean over groups of draws of the largest absolute deviation of the group
};

/// As sample_deviations, each draw i on an input i of its own: draws from the distribution over new inputs and orders.
/// Inputs k * group .. (k + 1) * group - 1 are group k, of those from options.begin on; a group that is not complete is
/// left out of the mean, which is empty without any.
InputDraws sample_inputs(const InputFamily& inputs, const Order& order, std::uint64_t seed, Against against,
                         std::uint64_t keep, const SampleOptions& options, const OtherOrder* other = nullptr,
                         std::uint64_t group = 1);

/// The whole distribution of deviations, known from all orders.
struct ExactDeviations {
  Deviation limit;                ///< the least with P(deviation <= limit) >= coverage
  Deviation largest;              ///< over all orders, or pairs of them
  double nonfinite = 0;           ///< probability of an infinite one
  double largest_from_exact = 0;  ///< over all orders, from the exact sum alone
};

/// Exact limits from exact probabilities. Between results the relative limit divides by the smallest result of all.
///
/// Shape:  `other` has all results of the other order; it is there for Against::order alone.
/// Cost:   O(K log K), K results; between results 64 passes over them.
ExactDeviations exact_deviations(const Enumeration& all, const Yardstick& yardstick, Against against, double coverage,
                                 const Enumeration* other = nullptr);

}  // namespace orderlab
