// Values with weights: the results of samples or of all orders, their errors, and histograms of them.
#pragma once

#include <cstdint>
#include <vector>

#include "orderlab/big_count.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// A value with the number of samples that gave it, or with its probability.
struct Weighted {
  double value = 0;
  double weight = 0;
};

/// Values in ascending order, -0 before +0, NaN last, each once. With a width they are the lower edges of bins
/// [value, value + width) that do not overlap.
struct Distribution {
  std::vector<Weighted> values;
  double width = 0;                   ///< width of bins; 0: single values
  std::vector<BigCount> orders = {};  ///< where weights are probabilities, the numbers of orders that they are made of

  bool empty() const { return values.empty(); }
  std::size_t size() const { return values.size(); }

  /// Sum of the weights, rounded once.
  double total() const;
};

/// The bit pattern of a result: values of a distribution of results are numbers of their format.
inline std::uint64_t bits_of(Format format, double result) { return round_to_bits(format, result); }

/// Errors result - S of the finite results, each rounded once; empty where S is not finite. -0 and +0 stay two values.
Distribution errors_of(const Distribution& results, const ExactValue& exact);

/// The same values with weights, the second of two neighbours that compare equal added to the first: -0 and +0 are one.
Distribution equal_joined(const Distribution& values);

}  // namespace orderlab
