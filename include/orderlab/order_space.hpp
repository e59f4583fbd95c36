// The orders that a pipeline can draw, as a set that can be counted and enumerated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/tree.hpp"

namespace orderlab {

/// What differs from order to order. All members of a family are equally likely.
enum class OrderFamily : std::uint8_t {
  fixed,        ///< nothing: one order
  sequences,    ///< m partial sums added left to right: m! orders
  trees,        ///< all binary trees over m partial sums: (2m-3)!! orders
  assignments,  ///< m partial sums assigned to the leaves of a fixed tree: m! orders
};

constexpr std::string_view name_of(OrderFamily family) {
  constexpr std::string_view kNames[] = {"fixed", "sequences", "trees", "assignments"};
  return kNames[static_cast<std::size_t>(family)];
}

/// m partial sums and the orders in which they are added.
struct OrderSpace {
  OrderFamily family = OrderFamily::fixed;
  Formats formats;                     ///< additions round to `accumulate`, the last result to `result`
  std::vector<double> partial_sums;    ///< m >= 1 numbers of the accumulate format, in the places that order files name
  bool from_zero = false;              ///< sequences: the first is added to, or fused into, +0.0
  bool flush = false;                  ///< sequences: fp32 atomics, which flush subnormal operands and results
  SummationTree shape{1};              ///< assignments: over m leaves; add, add_ftz, start, start_ftz, or with products
                                       ///< round and fma of at most two children, all to accumulate
  std::vector<Factors> products = {};  ///< sequences, assignments: what acc=fma adds, partial_sums[i] being number i
                                       ///< rounded; empty where additions are not fused
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
/// values.
RecognizedSpace order_space(const Evaluator& evaluator);

}  // namespace orderlab
