// Which of two orders is nearer to the exact sum, input by input, and which of several are the most accurate.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "metrics/statistics.hpp"

namespace orderlab {

/// +1 where a result of `a` is nearer to the exact sum than one of `b` more often than not, -1 where one of `b` is, 0
/// where neither. Both are errors with their counts, in any order, in one unit.
///
/// Error: magnitudes that agree to nine digits count as equal, so that two roundings of one error do.
int nearer(std::span<const Weighted> a, std::span<const Weighted> b);

/// Magnitudes, ascending: what nearer() looks at of errors that are compared with many others.
class Magnitudes {
 public:
  explicit Magnitudes(std::span<const Weighted> errors);

 private:
  friend int nearer(const Magnitudes& a, const Magnitudes& b);
  std::vector<Weighted> ascending_;
};

int nearer(const Magnitudes& a, const Magnitudes& b);

/// On how many inputs one order is nearer than another, and the interval of that share.
struct PairedWins {
  std::size_t won = 0;
  std::size_t lost = 0;
  std::size_t tied = 0;
  double low = 0;  ///< lower limit for won / (won + lost)
  double high = 1;

  bool beats() const { return low > 0.5; }
};

/// `scores` are those of `nearer`, one for each input.
///
/// Error:  low and high each lie on the wrong side of the share of new inputs with probability at most `tail`,
///         for any distribution of the errors: Clopper-Pearson limits of a binomial share, inputs being
///         independent and ties left out. So beats() is the one-sided sign test at level `tail`.
/// Source: [ClopperPearson1934].
PairedWins paired_wins(std::span<const int> scores, double tail);

/// Orders that may be the most accurate.
struct MostAccurate {
  std::vector<std::size_t> best;              ///< ascending
  std::vector<std::vector<PairedWins>> wins;  ///< [i][j]: order i against order j
  double tail = 0;                            ///< tail probability in each comparison
};

/// All orders that no other one beats, by paired_wins at tail (1 - confidence) / orders; where that is one alone, also
/// those that it does not beat itself. scores[i][j] holds the scores of i against j.
///
/// Error:  One order alone beats each other one. Let i be nearer than some j on half of new inputs or fewer: i beats
/// that
///         j, so stands alone, with probability `tail` at most. Such orders are all of them at most, so a wrong one
///         stands alone with probability at most 1 - confidence, also where several are equally accurate. An order
///         that is nearer than each other one on half of new inputs or more is missing with probability at most
///         (orders - 1) tail < 1 - confidence. Where preferences go in a circle there may be none.
/// Source: [Hsu1984], with the inequality of Bonferroni in place of a common distribution.
MostAccurate most_accurate(const std::vector<std::vector<std::vector<int>>>& scores, double confidence);

/// Inputs from which on an order can beat another at `tail`, if it is nearer on all of them: the least n with
/// 2^-n < tail.
std::size_t inputs_needed(double tail);

}  // namespace orderlab
