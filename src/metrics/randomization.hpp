// Randomization tests: is a difference of means larger than chance arrangements of the same scores give?
#pragma once

#include <cstdint>
#include <span>

namespace orderlab {

struct RandomizationTest {
  double p = 1;                    ///< two-sided
  std::uint64_t arrangements = 0;  ///< all there are, or as many as were drawn
  bool exact = false;              ///< all were counted
};

/// |mean of a - mean of b| against that of other splits of the same scores into as many and as many. P(p <= x) <= x for
/// every x where the scores of both are exchangeable, as they are when they come from one distribution.
///
/// At most 2^20 splits are all counted. Of more, N are drawn from (seed, streams::kGoodnessOfFit), 99999 or, of more
/// than 10^4 scores, fewer: p = (1 + those at least as large) / (N + 1). Means that differ by no more than their
/// roundings are equal.
///
/// Shape:  neither is empty; finite; fewer than 2^32 together.
/// Source: [Dwass1957].
RandomizationTest permutation_test(std::span<const double> a, std::span<const double> b, std::uint64_t seed);

/// |mean of d| against that of the same differences with other signs, all 2^n of them or N as above. Right where every
/// difference is as likely to be -x as x, as those of pairs are whose two scores are exchangeable.
///
/// Shape: not empty, finite.
RandomizationTest sign_flip_test(std::span<const double> d, std::uint64_t seed);

}  // namespace orderlab
