// Sums of doubles for exact results that are made in doubles.
#pragma once

#include <cmath>

namespace orderlab {

/// A sum of doubles with what its additions lose, which is added last: Neumaier's compensation.
///
/// Error: at most 2^-53 of the sum and n^2 2^-106 of the sum of all |x| [OgitaRumpOishi2005].
class KeptSum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    lost_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }

  double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace orderlab
