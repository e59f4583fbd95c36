// Randomization tests: is a difference of means larger than chance arrangements of the same scores give?
#pragma once

#include <cstdint>
#include <span>

namespace orderlab {

struct RandomizationTest {
  double p = 1;                     ///< two-sided
  double arrangements = 0;          ///< all there are (infinite from 2^1024 on), or as many as were drawn
  bool exact = false;               ///< all were counted
  std::uint64_t unequal_pairs = 0;  ///< sign_flip_test only: pairs whose signs matter
};

/// |mean of a - mean of b| against that of other splits of the same scores into as many and as many. P(p <= x) <= x for
/// every x where the scores of both are exchangeable, as they are when they come from one distribution.
///
/// All splits are counted where there are at most 2^24, where scores have two values only, and where they are multiples
/// of so large a unit that sums have few values: by dynamic programming, in 4 * 10^8 steps at most. Else N splits are
/// drawn from (seed, streams::kGoodnessOfFit), 99999 or, of more than 10^4 scores, fewer: p = (1 + those at least as
/// large) / (N + 1). Means that differ by no more than their roundings are equal.
///
/// Shape:  neither is empty; finite; fewer than 2^32 together.
/// Source: [Dwass1957].
RandomizationTest permutation_test(std::span<const double> a, std::span<const double> b, std::uint64_t seed);

/// |mean of a - b| against that of the same differences with other signs: all 2^m of the m pairs that differ, as equal
/// ones have no sign, where m is at most 40 or they can be counted as above, or N. Right where every difference is as
/// likely to be -x as x, as those of pairs are whose two scores are exchangeable.
///
/// Shape: as many of each, not empty, finite.
RandomizationTest sign_flip_test(std::span<const double> a, std::span<const double> b, std::uint64_t seed);

/// Standard error that drawing gives p; 0 where all arrangements were counted.
double drawing_error(const RandomizationTest& test);

}  // namespace orderlab
