// When another order of additions makes a language model choose another token: margins, their noise, and what follows
// of both. All margins and changes are in nats, differences of natural logarithms of probabilities.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orderlab {

/// Density of margins just above zero.
struct MarginDensity {
  double per_nat = 0;    ///< margins in a short interval above 0, as a share of all, divided by its length
  double bandwidth = 0;  ///< nats from 0 on that take part
};

/// The density of `margins` at 0, by the linear boundary kernel of Epanechnikov's. Margins of 0, exact ties, are no
/// part of it, but of all margins.
///
/// The bandwidth h = 3.2 / (r n^(1/5)) for n margins above 0 has the least mean square error for an exponential
/// density of rate r, which is taken from the lower quartile; r = ln(4/3) / quartile.
///
/// Shape:  margins >= 0, in any order. Empty for fewer than 20 above 0.
/// Error:  standard deviation about sqrt(4.5 f / (n h)), relative bias -0.116 (r h)^2 / 2 for an exponential density.
/// Source: [Jones1993].
std::optional<MarginDensity> margin_density_at_zero(std::span<const double> margins);

/// The distribution of D, the change of a margin from one run to another, which has no sign of its own: either run
/// could be the first.
class MarginNoise {
 public:
  /// D is normal with this mean absolute value > 0.
  static MarginNoise normal(double mean_abs);

  /// D is each of the changes and each of their negatives, equally likely.
  static MarginNoise of(std::span<const double> changes);

  /// Probability that a token with a margin m >= 0 is another one in the other run: P(D < -m) + P(D = -m) / 2 for m >
  /// 0, since the choice between equal logits is that of an index; P(D < 0) for m = 0. It decreases with m.
  double flips(double margin) const { return flips(margin, margin > 0 ? 0.5 : 0); }

  /// The same where it is known whether the other token is chosen when logits are equal: P(D < -m) + of_tie P(D = -m).
  double flips(double margin, double of_tie) const;

  double mean_abs() const { return mean_abs_; }
  bool is_normal() const { return normal_; }

  /// Magnitudes of the changes, ascending; empty where D is normal.
  const std::vector<double>& magnitudes() const { return magnitudes_; }

 private:
  bool normal_ = false;
  double mean_abs_ = 0;
  std::vector<double> magnitudes_;
};

/// The tail that is extended to the largest of many changes.
struct NoiseLimit {
  double allowed = 0;            ///< nats
  std::uint64_t changed = 0;     ///< changes that are not 0
  std::optional<double> median;  ///< of their magnitudes; empty where there are too few
  std::optional<double> shape;   ///< exponent of the tail: 2 of normal numbers, 1 of Laplace's
};

/// The probability that the largest change of margins that differ by rounding alone is above NoiseLimit::allowed, if
/// their tail is of the form that is assumed.
inline constexpr double kBeyondLimit = 0.001;

/// Noise differs from token to token, so its tail is longer than its middle shows: the limit is so many times larger, a
/// margin of safety. Measured on 4000 simulated runs each of 100, 300 and 3000 changes: none was accused whose noise is
/// normal, Laplace's, or normal with a scale whose logarithm has the standard deviation 0.4; 0.1 to 0.7 % where that is
/// 0.7, and 0.7 to 3.8 % where it is 1.
inline constexpr double kUnequalNoise = 2;

/// Fewer changes that are not 0 show no tail.
inline constexpr std::uint64_t kLeastChanges = 20;

/// What rounding may do where too few changes are known to measure it: two logits below 64 in bf16, each rounded to the
/// other side, move their difference by two steps of 2^-2.
inline constexpr double kTwoSteps = 0.5;

/// How large the largest of changes.size() + 1 changes may be, by all others of them.
///
/// The tail of the n others that are not 0 is taken as P(|D| > x) = exp(-(x / a)^c), through their median and their 90
/// % quantile, so that up to a tenth of them may be wrong; c is lowered by 2 / sqrt(n) of itself, 1.5 standard errors,
/// and is at most 2, that of normal numbers, and at least 1/2. The largest of n + 1 is above x with probability
/// kBeyondLimit where (x / a)^c = ln((n + 1) / kBeyondLimit); the limit is kUnequalNoise x. kTwoSteps for n <
/// kLeastChanges.
///
/// Source: extreme values of independent numbers [David2003].
NoiseLimit noise_limit(std::span<const double> changes);

/// Tokens after which half of the answers have diverged, where each token flips with this probability: ln(1/2) / ln(1 -
/// p). Empty for p = 0, or none that is below 2^53.
std::optional<double> tokens_to_half(double flips_per_token);

/// Answers that a test needs to see a flip in one or more with 95 % probability, where one has none with the
/// probability `without`: ln(0.05) / ln(without), rounded up. Empty for `without` = 1, or where it is above 2^53.
std::optional<std::uint64_t> answers_to_see_one(double without);

}  // namespace orderlab
