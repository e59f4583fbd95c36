// Every result that an order can give, with its exact probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "orderlab/distribution.hpp"
#include "orderlab/order_space.hpp"

namespace orderlab {

/// What all orders give.
struct Enumeration {
  OrderFamily family = OrderFamily::fixed;
  Format format = Format::fp64;  ///< format of the results
  std::uint64_t m = 1;           ///< partial sums
  BigCount orders = 1;           ///< m!, (2m-3)!! or 1
  Distribution results;          ///< probabilities, rounded once; their orders add up to `orders`
  bool always_exact = false;     ///< no addition can round in any order, found without enumerating
  std::size_t peak_bytes = 0;    ///< most memory that the lists took

  /// The result with these bits; null if no order gives it.
  const Weighted* find(std::uint64_t bits) const;
};

/// The number of orders has to be written down: 10000! has 35660 digits.
inline constexpr std::size_t kMostPartialSums = 10'000;

/// Error(unsupported) for more partial sums than that. Call it before making the space, which copies them all.
void require_countable(std::size_t partial_sums);

/// Whether enumerate takes seconds at most, by an estimate: 20 different partial sums in sequences, 15 in trees, 16 on
/// the leaves of one tree, more where some are equal (200 equal ones in trees, 400 of two values in sequences).
bool quickly_enumerable(const OrderSpace& space);

/// Enumerates all orders of the space by a dynamic program over the subsets of the partial sums, equal ones merged.
///
/// Empty when stopped. The result depends on the space alone, not on threads or memory; peak_bytes does on both.
/// Errors: unsupported when the lists outgrow options.memory_bytes, saying how far it came.
/// Cost: sequences O(m 2^m K), trees O(3^m K^2), K distinct results of a subset.
std::optional<Enumeration> enumerate(const OrderSpace& space, const WalkOptions& options);

}  // namespace orderlab
