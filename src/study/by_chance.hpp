// How many orders that were tried would give a sum by chance.
#pragma once

#include <cstdint>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab::study {

/// A sum and the orders that give it.
struct SumOfOrders {
  double value = 0;
  std::uint64_t orders = 0;
};

/// Expected for a sum by an order that was not tried.
struct ByChance {
  double orders = 0;  ///< orders tried that give it too
  double any = 0;     ///< at most the probability that one does; 1 where nothing is known of it
};

/// The different sums of all orders that were tried, of one format.
class SumsByChance {
 public:
  SumsByChance(Format format, std::vector<SumOfOrders> sums);

  /// By the density of the other sums around [low, high], a result or the range of one that was given to few digits.
  /// Sums inside are left out, for the order that made the result may be among them. The cells that are counted are as
  /// wide as sums can differ: numbers of the format near 0 lie closer than sums of large terms, which are multiples of
  /// a coarser power of two. `orders` takes as many of the nearest sums as the square root of all, of equally near ones
  /// those with few orders first; `any` counts different sums, and is the largest of what each number of nearest ones
  /// says, so that few orders that are much alike, far from all others, tell nothing.
  ///
  /// Cost: linear in the sums, but for equally near ones.
  ByChance of(double low, double high) const;

 private:
  Format format_;
  std::vector<SumOfOrders> finite_;  ///< ascending
  double orders_ = 0;                ///< number of all orders, as a double
  double unit_ = 0;                  ///< what most finite sums are multiples of
};

}  // namespace orderlab::study
