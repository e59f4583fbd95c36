// Are these results explained by order? Verdicts on given results, from all orders or from samples of them.
#pragma once

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
  explained,   ///< some order gives it, or it lies inside the range of the samples
  unlikely,    ///< beyond that range, and yet not beyond what some order may give
  impossible,  ///< no order gives it
};

std::string_view name_of(Verdict verdict);

/// Why a verdict is what it is.
enum class Reason : std::uint8_t {
  reachable,         ///< explained: some of all orders give it
  seen,              ///< explained: some of the samples gave it
  inside_range,      ///< explained: between two samples
  beyond_range,      ///< unlikely: beyond all samples, inside the bound over all orders
  not_bounded,       ///< unlikely: beyond all samples, and no bound over all orders is derived
  may_overflow,      ///< unlikely: not seen, and nothing rules out that some order overflows
  unreachable,       ///< impossible: none of all orders gives it
  outside_bound,     ///< impossible: outside the bound over all orders
  no_overflow,       ///< impossible: not finite, though all terms are and no order overflows
  terms_not_finite,  ///< impossible: the sum of the terms is inf or NaN in every order, and not this
};

std::string_view name_of(Reason reason);

/// A result that is asked about, and how often it was given.
struct GivenResult {
  std::uint64_t bits = 0;  ///< in the result format, NaN canonical
  std::uint64_t count = 1;
};

struct ValueVerdict {
  std::uint64_t bits = 0;
  double value = 0;  ///< the same number
  std::uint64_t given = 1;
  Verdict verdict = Verdict::explained;
  Reason reason = Reason::reachable;
  std::optional<double> probability;          ///< of an order that gives it, from all orders
  std::optional<std::uint64_t> seen;          ///< samples that gave it, where they were not binned
  std::optional<double> p;                    ///< that a further sample lies as far out: at most this; 0 if impossible
  std::optional<std::uint64_t> distance_ulp;  ///< floats to the nearest reachable result, or to the range of samples
  std::optional<double> error_ulp;            ///< (value - exact) / ulp(exact)
};

/// Do the frequencies of all given results together fit?
struct JointVerdict {
  double p = 1;  ///< 0 when a given result is impossible
  std::string_view test;
};

struct CheckResult {
  double confidence = 0.999;
  std::vector<ValueVerdict> values;   ///< one for each distinct result, ascending by value, -0 before +0, NaN last
  std::optional<JointVerdict> joint;  ///< for two given results or more; empty when stopped, binned, or too many

  /// Of the values, the worst; a joint p below 1 - confidence is `unlikely`.
  Verdict verdict() const;

  bool joint_fits() const { return !joint || joint->p >= 1 - confidence; }
};

/// How a check goes about it.
struct CheckOptions {
  double confidence = 0.999;  ///< that a result which order does explain is not called anything else
  std::uint64_t seed = 1;     ///< of the simulations of the joint test
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< of the joint test
};

/// Samples of a check are numbered from here on: what `sample` drew with the same seed is independent of them.
inline constexpr std::uint64_t kFirstCheckSample = RandomStream::kSampleLimit / 2;

/// Samples that verdicts on `distinct` results need. A further draw lies beyond N of them on a given side with
/// probability at most 1 / (N + 1), on either 2 / (N + 1), ties or not: below (1 - confidence) / distinct for
/// N = ceil(2 / (1 - confidence)) * distinct, so one of the results is called unlikely with at most 1 - confidence
/// (Bonferroni).
///
/// Errors: usage for a confidence outside (0, 1); unsupported for more samples than there are from kFirstCheckSample.
std::uint64_t check_samples(double confidence, std::uint64_t distinct);

/// Verdicts from all orders: reachable or not; jointly the multinomial test against the exact probabilities.
///
/// Shape: `given` distinct, not empty, in the format of the results, as is `format`.
CheckResult check(const Enumeration& all, const ExactValue& exact, Format format, std::span<const GivenResult> given,
                  const CheckOptions& options);

/// Given and sampled results that the permutation test takes: it holds 4 bytes for each.
inline constexpr std::uint64_t kMostPooledResults = std::uint64_t{1} << 28;

/// Verdicts from samples; jointly the permutation test of given and sampled results. `bound` holds for
/// |result - exact| over every order (every_order_bound): empty if none is derived, infinite if some order may
/// overflow.
///
/// Shape: as above; counts not empty; the verdicts hold with options.confidence for check_samples() samples or more.
CheckResult check(const ResultCounts& samples, std::optional<double> bound, const ExactValue& exact,
                  std::span<const GivenResult> given, const CheckOptions& options);

}  // namespace orderlab
