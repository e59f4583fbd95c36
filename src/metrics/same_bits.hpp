// Do two runs give the same bits, and how many runs show that they do not?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "orderlab/counts.hpp"

namespace orderlab {

/// Confidence of the interval, and the probability with which `runs_to_differ` runs show a difference.
inline constexpr double kSameBitsConfidence = 0.95;
inline constexpr double kDifferenceShown = 0.999;

/// Probability that two independent runs give the same bits, estimated without bias from the counts c of N samples:
/// sum c (c - 1) / (N (N - 1)), the share of pairs of samples that agree. Empty for fewer than two samples.
std::optional<double> same_bits_estimate(const Distribution& results);

/// An interval that holds the probability with confidence at least kSameBitsConfidence, for any distribution of
/// results.
///
/// Derivation: the estimate is a mean of means of k = floor(N / 2) independent pairs, one for each way to pair the
///   samples, so the Chernoff bound of k pairs holds for it: P(estimate >= p' > p) <= exp(-k KL(p' || p)), and below p
///   likewise. The interval holds all p with k KL(estimate || p) <= ln(2 / (1 - confidence)). Where all samples agree
///   that is the interval of Clopper and Pearson for k pairs.
/// Shape:  samples >= 2.
/// Source: [Hoeffding1963], theorem 1 and section 5 (U-statistics).
struct ProbabilityInterval {
  double low;
  double high;
};
ProbabilityInterval same_bits_interval(double estimate, std::uint64_t samples);

/// The fewest runs r >= 2 of which some differ with probability kDifferenceShown: sum p^r <= 1 - kDifferenceShown over
/// the probabilities of all results. Empty where one result has probability 1 to rounding.
///
/// Derivation: p_max^r <= sum p^r <= p_max^(r - 1), so r is one of two numbers; exact while pow is.
std::optional<std::uint64_t> runs_to_differ(std::span<const double> probabilities);

/// Probability that a run of one order differs in bits from a run of another one, from their counts:
/// 1 - sum a b / (N_a N_b). Empty with bins.
///
/// Error: samples of the same number may share random numbers; these are 1 / max(N_a, N_b) of all pairs, and the
///   estimate is biased by at most that.
std::optional<double> differing_bits_estimate(const ResultCounts& a, const ResultCounts& b);

}  // namespace orderlab
