// Exact sums of numbers that three doubles hold.
#pragma once

#include <cmath>

#include "core/arithmetic_guard.hpp"
#include "orderlab/format.hpp"
#include "run/product.hpp"

namespace orderlab {

/// high + low, exactly; high is the double nearest to it.
struct ExactPair {
  double high;
  double low;
};

/// a + b + c with no two of them overlapping, to the double nearest to it and the one nearest to the rest. False where
/// a few additions do not separate them.
inline bool to_exact_pair(double a, double b, double c, ExactPair& pair) {
  detail::TwoSum upper = detail::two_sum(a, b);
  detail::TwoSum lower = detail::two_sum(upper.rest, c);
  upper = detail::two_sum(upper.sum, lower.sum);
  lower = detail::two_sum(upper.rest, lower.rest);
  if (!(upper.sum + lower.sum == upper.sum)) return false;  // NaN, too
  pair = {upper.sum, lower.sum};
  if (lower.rest != 0) {
    // lower.sum can be half an ulp of the upper sum: then the rest decides which double is nearest.
    pair.high = upper.sum + detail::to_odd(lower.sum, lower.rest);
    pair.low = ((upper.sum - pair.high) + lower.sum) + lower.rest;  // the first two exactly: 0 or a whole ulp
  }
  return std::isfinite(pair.high);
}

/// Adds numbers as long as three doubles hold their sum exactly.
class ExactChain {
 public:
  explicit ExactChain(double first) : sum_(first) {}

  void add(double x) {
    const detail::TwoSum first = detail::two_sum(sum_, x);
    const detail::TwoSum second = detail::two_sum(error_, first.rest);
    const detail::TwoSum third = detail::two_sum(third_, second.rest);
    sum_ = first.sum;
    error_ = second.sum;
    third_ = third.sum;
    inexact_ |= third.rest != 0;  // NaN, too
  }

  /// The sum; false where it is not exact, or not finite.
  bool sum(ExactPair& pair) const {
    if (inexact_) return false;
    if (sum_ == 0 && error_ == 0 && third_ == 0) {  // keeps the sign of a zero
      pair = {sum_, 0};
      return true;
    }
    return to_exact_pair(sum_, error_, third_, pair);
  }

 private:
  double sum_;
  double error_ = 0;
  double third_ = 0;
  bool inexact_ = false;
};

}  // namespace orderlab
