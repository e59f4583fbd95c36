// The orders that a pipeline can draw, as a set, and every result that they can give, with its exact probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/distribution.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// What differs from order to order. All members of a family are equally likely.
enum class OrderFamily : std::uint8_t {
  fixed,        ///< nothing: one order
  sequences,    ///< m partial sums added left to right: m! orders
  trees,        ///< all binary trees over m partial sums: (2m-3)!! orders
  assignments,  ///< m partial sums assigned to the leaves of a fixed tree: m! orders
  queues,       ///< c chunks taken by w workers, numbered in the order in which they finish: w^c orders
};

constexpr std::string_view name_of(OrderFamily family) {
  constexpr std::string_view kNames[] = {"fixed", "sequences", "trees", "assignments", "queues"};
  return kNames[static_cast<std::size_t>(family)];
}

/// m partial sums and the orders in which they are added.
struct OrderSpace {
  OrderFamily family = OrderFamily::fixed;
  Formats formats;                     ///< additions round to `accumulate`, the last result to `result`
  std::vector<double> partial_sums;    ///< m >= 1 numbers of the accumulate format, in the places that order files name
  bool from_zero = false;              ///< the first is added to, or fused into, +0.0; sequences and queues
  bool flush = false;                  ///< sequences: fp32 atomics, which flush subnormal operands and results
  SummationTree shape{1};              ///< assignments: over m leaves; add, add_ftz, start, start_ftz, or with products
                                       ///< round and fma of at most two children, all to accumulate
  std::vector<Factors> products = {};  ///< sequences, assignments: what acc=fma adds, partial_sums[i] being number i
                                       ///< rounded; empty where additions are not fused
  std::shared_ptr<const WorkQueue> queue = nullptr;  ///< queues only
};

/// Options for enumerating all orders of a space.
struct WalkOptions {
  double memory_bytes = 0x1p30;  ///< for lists and tables
  int threads = 0;               ///< 0: all
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< called from one thread at a time
};

/// The space of an order, or why it has none.
struct RecognizedSpace {
  std::optional<OrderSpace> space;
  std::string reason;  ///< "acc=kahan: ..."; empty when there is a space
};

/// Why the orders that `order` draws cannot be enumerated, judged by its stages alone; empty if they can.
std::string walk_obstacle(const Order& order);

/// The orders that the evaluator's order can draw: fixed; `... | R | seq`, `... | R | tree` and `... | R | FIXED`,
/// where R is `shuffle` or `arrive(uniform)` and FIXED stages add plainly, atomically or by fma and do not look at
/// values; and those of a `queue` without service times.
RecognizedSpace order_space(const Evaluator& evaluator);

/// What all orders give.
struct Enumeration {
  OrderFamily family = OrderFamily::fixed;
  Format format = Format::fp64;  ///< format of the results
  std::uint64_t m = 1;           ///< partial sums
  BigCount orders = 1;           ///< m!, (2m-3)!!, w^c or 1
  Distribution results;          ///< probabilities, rounded once; their orders add up to `orders`
  bool always_exact = false;     ///< no addition can round in any order, found without enumerating
  std::size_t peak_bytes = 0;    ///< most memory that the lists took

  /// The result with these bits; null if no order gives it.
  const Weighted* find(std::uint64_t bits) const;
};

/// The number of orders has to be written down: 10000! has 35660 digits.
inline constexpr std::size_t kMostPartialSums = 10'000;

/// Whether the orders that the evaluator's order draws can be counted: kMostPartialSums partial sums, or chunks of a
/// queue, at most. Ask it before making the space, which copies them all.
bool countable(const Evaluator& evaluator);

/// Error(unsupported) unless they can.
void require_countable(const Evaluator& evaluator);

/// Whether enumerate takes seconds at most, by an estimate: 20 different partial sums in sequences, 15 in trees, 16 on
/// the leaves of one tree, more where some are equal (200 equal ones in trees, 400 of two values in sequences).
bool quickly_enumerable(const OrderSpace& space);

/// Enumerates all orders of the space by a dynamic program over the subsets of the partial sums, equal ones merged.
///
/// Empty when stopped. The result depends on the space alone, not on threads or memory; peak_bytes does on both.
/// Errors: unsupported when the lists outgrow options.memory_bytes, saying how far it came.
/// Cost: sequences O(m 2^m K), trees O(3^m K^2), K distinct results of a subset; queues O(w^c).
std::optional<Enumeration> enumerate(const OrderSpace& space, const WalkOptions& options);

}  // namespace orderlab
