// What no order of the terms can give: for whoever names no order.
#pragma once

#include "orderlab/study/input.hpp"

namespace orderlab::study {

/// Where the results of all orders lie: of products fused or not, subnormals kept or flushed, plain additions or
/// compensated ones, with partial sums in the accumulate format of the input or a wider one.
class AnyOrderResults {
 public:
  explicit AnyOrderResults(const Input& input);

  /// Whether no order rounds a partial sum: all give one result.
  bool one() const { return one_; }

  /// False if it is proven that no number of [low, high] is the result of an order.
  bool may_be(double low, double high) const;

 private:
  const InputFacts& facts_;
  bool one_ = false;
  double bound_ = 0;  ///< on |result - exact|
};

}  // namespace orderlab::study
