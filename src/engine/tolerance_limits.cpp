// Sample sizes and ranks of distribution-free tolerance limits.
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <string>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab {

namespace {

// Below it Boost's power (1 - p)^n loses more digits than Poisson's limit of the binomial distribution does.
constexpr double kRare = 0x1p-30;

// P(Binomial(n, p) < rank).
double fewer_than(std::uint64_t rank, std::uint64_t n, double p) {
  if (rank == 0) return 0;
  if (rank > n) return 1;
  if (p < kRare) return boost::math::gamma_q(static_cast<double>(rank), static_cast<double>(n) * p);
  return boost::math::cdf(boost::math::binomial_distribution<double>(static_cast<double>(n), p),
                          static_cast<double>(rank - 1));
}

void check_fraction(const char* what, double value) {
  if (!(value > 0 && value < 1))
    throw Error(ErrorKind::usage,
                std::string(what) + " " + shortest(value) + ": must lie between 0 and 1, both excluded");
}

void check_levels(double coverage, double confidence) {
  check_fraction("coverage", coverage);
  check_fraction("confidence", confidence);
}

}  // namespace

std::uint64_t needed_samples(double coverage, double confidence, std::uint64_t rank) {
  const FloatEnvironment environment;
  check_levels(coverage, confidence);
  if (rank == 0) throw Error(ErrorKind::usage, "rank 0: the largest value has rank 1");
  const auto enough = [&](std::uint64_t n) { return fewer_than(rank, n, 1 - coverage) <= 1 - confidence; };
  std::uint64_t high = rank;
  while (!enough(high)) high *= 2;  // ends below 2^60: 1 - coverage and 1 - confidence are at least 2^-53
  std::uint64_t low = rank - 1;     // not enough
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

std::uint64_t limit_rank(std::uint64_t samples, double coverage, double confidence) {
  const FloatEnvironment environment;
  check_levels(coverage, confidence);
  std::uint64_t low = 0;  // rank 0 means that no rank is enough
  std::uint64_t high = samples + 1;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (fewer_than(middle, samples, 1 - coverage) <= 1 - confidence ? low : high) = middle;
  }
  return low;
}

double coverage_of_one(double coverage, std::uint64_t outputs) {
  const FloatEnvironment environment;
  check_fraction("coverage", coverage);
  return outputs == 1 ? coverage : std::exp(std::log(coverage) / static_cast<double>(outputs));
}

SamplingRule sampling_rule(double coverage, double confidence) { return sampling_rule(coverage, confidence, 0); }

SamplingRule sampling_rule(double coverage, double confidence, double additions) {
  const FloatEnvironment environment;
  for (std::uint64_t rank = 1;; ++rank) {
    const std::uint64_t samples = needed_samples(coverage, confidence, rank);
    // The probability beyond the rank-th largest of N is at least q with the probability that fewer than `rank` of N
    // values lie in a tail of probability q.
    if (fewer_than(rank, samples, (1 - coverage) / 2) >= 0.5) return {samples, rank};
    if (additions > 0 &&
        additions * static_cast<double>(needed_samples(coverage, confidence, rank + 1)) > kMostLimitAdditions)
      return {samples, rank};
  }
}

}  // namespace orderlab
