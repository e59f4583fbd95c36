// Are these results explained by order? Verdicts on given results, from all orders or from samples of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/counts.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

enum class Verdict : std::uint8_t {
  explained,   ///< some order gives it, or it is inside the range of the samples, or outside by chance
  none,        ///< interrupted: more samples, or a test that was not made, would decide
  unlikely,    ///< outside that range, and too many are for that to be chance; some order may still give it
  impossible,  ///< no order gives it
};

constexpr std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"explained", "none", "unlikely", "impossible"};
  return kNames[static_cast<std::size_t>(verdict)];
}

/// Reason for a verdict.
enum class Reason : std::uint8_t {
  reachable,         ///< explained: some order gives it
  seen,              ///< explained: some sample gave it
  inside_range,      ///< explained: between two samples
  inside_reach,      ///< explained: between sums of other arrival orders, CheckOptions::reached
  beyond_range,      ///< outside all samples, inside the bound over all orders; unlikely if its p is small
  not_bounded,       ///< outside all samples, and no bound over all orders is derived; unlikely if its p is small
  may_overflow,      ///< not sampled, and some order may overflow; unlikely if its p is small
  unreachable,       ///< impossible: no order gives it
  outside_bound,     ///< impossible: outside the bound over all orders
  no_overflow,       ///< impossible: not finite, but all terms are finite and no order overflows
  terms_not_finite,  ///< impossible: every order gives inf or NaN, and never this value
};

constexpr std::string_view name_of(Reason reason) {
  constexpr std::string_view kNames[] = {"reachable",     "seen",        "inside_range",    "inside_reach",
                                         "beyond_range",  "not_bounded", "may_overflow",    "unreachable",
                                         "outside_bound", "no_overflow", "terms_not_finite"};
  return kNames[static_cast<std::size_t>(reason)];
}

struct ValueVerdict {
  std::uint64_t bits = 0;
  double value = 0;  ///< the same number
  std::uint64_t given = 1;
  int digits = 0;  ///< the printed digits that were read, where only they explain it, or nothing does; 0: read exactly
  KeyInterval read;      ///< the numbers that this leaves
  int digits_given = 0;  ///< GivenResult::digits
  Verdict verdict = Verdict::explained;
  Reason reason = Reason::reachable;
  std::optional<double> probability;          ///< that an order gives it, from all orders
  std::optional<std::uint64_t> seen;          ///< samples that gave it, where they were not binned
  std::optional<double> p;                    ///< p-value of it and others outside the samples; 0 if impossible
  std::optional<std::uint64_t> distance_ulp;  ///< floats to the nearest reachable result, or to the range of samples
  std::optional<double> error_ulp;            ///< (value - exact) / ulp(exact)
};

/// Joint test: are the frequencies of all given results consistent with the order?
struct JointVerdict {
  double p = 1;  ///< 0 when a given result is impossible
  std::string_view test;
};

/// Number of given results outside the range of all samples; repeated results count each time. Finite results are
/// compared with finite samples only. NaN, inf and -inf are three separate kinds: such a result is outside if no sample
/// is of its kind.
struct Outliers {
  std::uint64_t below = 0;
  std::uint64_t above = 0;
  std::uint64_t nonfinite = 0;
  double p = 1;  ///< upper bound on the p-value of their number, on either side or of a kind
};

/// What a check by samples that explains everything could have missed.
struct Sensitivity {
  std::uint64_t outliers = 0;   ///< fewest given results outside the samples on one side that are called unlikely
  std::optional<double> shift;  ///< approximate shift of all given results that the joint test detects in 95 %
};

struct CheckResult {
  double confidence = 0.999;
  std::vector<ValueVerdict> values;   ///< one for each distinct result, ascending by value, -0 before +0, NaN last
  std::optional<JointVerdict> joint;  ///< for two given results or more; empty when stopped, binned, or too many
  std::optional<Outliers> outliers;   ///< by samples
  std::optional<Sensitivity> misses;  ///< by samples
  bool cut_short = false;             ///< as CheckOptions has it, or stopped before the joint test was done
  bool frequencies_decide = true;     ///< as CheckOptions has it
  double part = 1;                    ///< as CheckOptions has it

  /// p-value of the whole answer: of the tests that were made, each weighted by its part of 1 - confidence.
  double p() const;

  /// The worst verdict of the values; `unlikely` for a p below 1 - confidence. `none` where it was cut short, unless a
  /// value is impossible, or explained and the only one.
  Verdict verdict() const;

  /// p-values on the scale of p(): below 1 - confidence the test rejects. 1 where it was not made.
  double joint_p() const;
  double outliers_p() const;

  /// Whether further samples would leave the verdict as it is: it rejects, or every result is explained for good.
  bool settled() const;

  bool joint_fits() const { return joint_p() >= 1 - confidence; }

  /// The part of 1 - confidence that the test of results outside the samples has.
  double outliers_part() const;

  /// Given results, repeated ones each counted.
  std::uint64_t given() const;
};

/// Sums of arrival orders that are not uniform: launch order, its reverse, partial sums sorted by value and by
/// magnitude, and orders drawn from the models that recordings were fitted to, at several strengths.
struct UsualArrivals {
  std::optional<KeyInterval> sums;  ///< from the least to the greatest finite one; empty without any
  std::uint64_t tried = 0;          ///< orders
  bool searched = false;            ///< local changes of these orders reached further
  bool of_queue = false;            ///< they are assignments of chunks to workers
};

/// Options of a check.
struct CheckOptions {
  double confidence = 0.999;  ///< probability of not flagging legitimate results, however many
  std::uint64_t seed = 1;     ///< seed of the simulations of the joint test
  bool cut_short = false;     ///< the samples are the first of more that were to judge
  /// Whether the joint test may reject: only where the caller knows how orders are drawn.
  bool frequencies_decide = true;
  double part = 1;  ///< of 1 - confidence, what this look at the samples may use; the parts of all looks add up to 1
  std::uint64_t planned = 0;                ///< samples of the last look; 0: this is the last
  std::optional<KeyInterval> reached = {};  ///< finite sums of other orders that count as the range of the samples does
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< progress of the joint test
};

/// Number of the first sample of a check; those of `sample` are below, so the two are independent for one seed.
inline constexpr std::uint64_t kFirstCheckSample = RandomStream::kSampleLimit / 2;

/// The fraction of 1 - confidence that the test of results outside the samples may use. The joint test may use the
/// rest. Where no joint test may reject, as for a single result, the first test uses all of 1 - confidence.
///
/// Why the first test keeps its level for any distribution of results, inf and NaN included: pool the m given results
/// and the N samples. If all come from one order, every choice of m out of the m + N pooled results is equally likely
/// to be the given ones. So
/// - the k greatest finite results of the pool are all given ones with probability exceedances_p(m, N, k), wherever inf
///   and NaN fell, and so are the k least;
/// - all c results of a kind (NaN, inf, -inf) are given ones with probability q = exceedances_p(m, N, c).
/// Kinds are tested in order of falling c. A kind can be called unlikely only if 3 times the sum of q, over it and the
/// kinds before it, is below the level, so kinds use at most a third of it. The two sides share the rest equally (all
/// of the level where the pool is finite). This split depends on the pool only, not on which of its results are given.
/// So for each pool, and therefore for all, the probability of calling a legitimate result unlikely is at most the
/// level.
inline constexpr double kOutliersPart = 0.25;

/// Whether some result may be inf or NaN, according to `bound` (as below).
bool may_be_nonfinite(std::optional<double> bound, const ExactValue& exact, Format format);

/// Samples drawn for a check of `given` results of `terms` terms, repeated results each counted: enough that one
/// result outside them is unlikely, m / (m + N) < (1 - confidence) kOutliersPart / 2. To limit the time, at most 2^32
/// additions and 2^20 samples are done, or if that is more, 2^16 samples, 20 per result, or the number for one result;
/// then two or three results outside are needed to be unlikely. Where results may be `nonfinite`, the 2 above is a 3:
/// one result of a kind, or one on each side, is unlikely.
///
/// Errors: usage for a confidence outside (0, 1); unsupported for more samples than there are from kFirstCheckSample.
std::uint64_t check_samples(double confidence, std::uint64_t given, std::uint64_t terms, bool nonfinite = false);

/// The fewest samples for which given results that are all outside them are unlikely.
std::uint64_t fewest_check_samples(double confidence, std::uint64_t given, bool nonfinite = false);

/// Additions of the samples of a check above which they are looked at twice: about seven seconds.
inline constexpr double kLookTwice = 0x1p30;

/// Numbers of samples at which a check of up to `samples` is judged, ascending; the last one is `samples`. There are
/// two where that saves time: as many as a single result takes, or 20 per result, and all.
///
/// Each look has an equal part of 1 - confidence. So both together call legitimate results unlikely with probability
/// 1 - confidence at most, whenever the first one ends the check. A result between two of the first samples is between
/// two of all.
std::vector<std::uint64_t> check_looks(std::uint64_t samples, double confidence, std::uint64_t given,
                                       std::uint64_t terms, bool nonfinite = false);

/// Verdicts from all orders: reachable or not; jointly the multinomial test against the exact probabilities.
///
/// Shape: `given` distinct, not empty, in the format of the results, as is `format`.
CheckResult check(const Enumeration& all, const ExactValue& exact, Format format, std::span<const GivenResult> given,
                  const CheckOptions& options);

/// Given and sampled results that the permutation test takes: it holds 4 bytes for each.
inline constexpr std::uint64_t kMostPooledResults = std::uint64_t{1} << 28;

/// Verdicts from samples: by how many given results are outside all of them; jointly the permutation test of given and
/// sampled results. `bound` holds for |result - exact| over every order (every_order_bound): empty if none is derived,
/// infinite if some order may overflow.
///
/// Shape: as above; counts not empty. The confidence holds for any number of samples; with fewer, more is missed.
CheckResult check(const ResultCounts& samples, std::optional<double> bound, const ExactValue& exact,
                  std::span<const GivenResult> given, const CheckOptions& options);

}  // namespace orderlab
