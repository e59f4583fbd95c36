// Is the difference between two results explained by the two orders that they were added in?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/check.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/tolerance.hpp"
#include "orderlab/study/watch.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab::study {

/// A difference to judge, as a compare call prints it.
struct GivenDifference {
  GivenDifference(double exactly = 0)  // NOLINT(google-explicit-constructor): a number is one
      : GivenDifference(exactly, exactly < 0 ? -exactly : exactly, exactly < 0 ? -exactly : exactly) {}
  GivenDifference(double printed, double from, double to) : value(printed), least(from), greatest(to) {}

  double value;  ///< its magnitude counts
  /// The range of the magnitudes that it may have: more than |value| alone where printed digits leave that open.
  double least;
  double greatest;
};

struct DifferenceRequest {
  Order order;       ///< of one result
  OtherOrder other;  ///< of the other
  std::vector<GivenDifference> differences = {};
  double confidence = 0.999;  ///< probability of not flagging legitimate differences, however many are given
  /// Pairs to draw; empty: as many as needed.
  std::optional<std::uint64_t> samples = {};
  std::uint64_t seed = 1;
  bool arrivals_known = false;  ///< as in CheckRequest
  int threads = 0;              ///< 0: all; findings never depend on it
};

/// How a difference was judged.
enum class DifferenceReason : std::uint8_t {
  inside_range,   ///< explained: some pair of samples differs by as much or more
  inside_reach,   ///< explained: no pair of samples does, but sums of other arrival orders do
  beyond_range,   ///< larger than that, and within the bound; unlikely if its p is small
  not_bounded,    ///< larger than that, and no bound is derived; unlikely if its p is small
  outside_bound,  ///< impossible: larger than the bounds on both errors together
  one_pair,       ///< impossible: both orders are fixed, and their results differ by another amount
  not_finite,     ///< impossible or unlikely: every pair of samples has inf or NaN
};

constexpr std::string_view name_of(DifferenceReason reason) {
  constexpr std::string_view kNames[] = {"inside_range",  "inside_reach", "beyond_range", "not_bounded",
                                         "outside_bound", "one_pair",     "not_finite"};
  return kNames[static_cast<std::size_t>(reason)];
}

struct DifferenceVerdict {
  GivenDifference given;
  Verdict verdict = Verdict::explained;
  DifferenceReason reason = DifferenceReason::inside_range;
  std::uint64_t as_large = 0;  ///< pairs of samples that differ by as much or more
};

struct DifferenceFinding {
  InputFacts input;
  AskedOrder asked;
  std::string name;  ///< name of the order; empty for an expression
  std::string guarantee;
  ComparedOrder other;
  double confidence = 0.999;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> samples_asked;
  bool arrivals_known = false;
  bool arranged = false;  ///< some order arranges partial sums, so that other arrival orders can be tried
  std::vector<std::string> warnings;

  bool fixed = false;             ///< both orders are: one pair is all there is
  std::uint64_t samples = 0;      ///< pairs drawn
  std::uint64_t nonfinite = 0;    ///< of them, with inf or NaN
  std::optional<double> largest;  ///< difference of the others; empty without any
  std::optional<double> rms;      ///< of the others
  std::optional<double> reach;    ///< greatest difference between sums of other arrival orders; empty if not tried
  std::optional<double> bound;    ///< over all orders, both bounds added; empty where one is not derived
  std::vector<DifferenceVerdict> differences;  ///< as they were given
  double p = 1;  ///< probability that so many legitimate differences lie beyond the samples, and the reach
  bool partial = false;

  /// The worst verdict.
  Verdict verdict() const;
};

/// Judges differences by pairs of samples, one of each order on the same terms, and by the bounds on both errors. A
/// difference may have been rounded to the narrower of the two result formats.
///
/// Announces how many pairs it draws. Empty when interrupted before any. Errors: usage for no difference or one that is
/// not finite or not in its own range, a confidence outside (0, 1), too few samples to judge, or an order that cannot
/// add the terms; input for terms that are not finite; unsupported for more memory than is free.
std::optional<DifferenceFinding> check_difference(const Input& input, const DifferenceRequest& request,
                                                  const Watch& watch = {});

}  // namespace orderlab::study
