// The least and the greatest result that any order gives, and an order that gives it: exact, for few partial sums.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/order_space.hpp"
#include "orderlab/tree.hpp"

namespace orderlab {

/// A result and an order that gives it, the same one for any number of threads.
struct ExtremeOrder {
  std::uint64_t bits = 0;            ///< in the result format
  double value = 0;                  ///< the same number
  std::vector<std::uint32_t> order;  ///< not for trees: position k holds partial sum order[k], as perm(FILE) has it
  SummationTree tree{1};             ///< for trees: over the partial sums as leaves, in the accumulate format
};

struct Extremes {
  ExtremeOrder least;     ///< -0 below +0
  ExtremeOrder greatest;  ///< may be infinite: orders that overflow
};

/// Why extremes() refuses `space`: "40 partial sums, 40 of them different: ..."; empty if it does not.
std::string extremes_obstacle(const OrderSpace& space, double memory_bytes);

/// The extreme results over all orders of the space.
///
/// Rounded addition is monotone, and so are flushing and fma of a given product: the greatest result over a set of
/// partial sums is reached by adding greatest results over its parts. So two numbers per set suffice, in a dynamic
/// program over the sets, equal partial sums merged. Empty when stopped. Ties between orders go to the lowest set of
/// partial sums added last. Errors: unsupported for too many, for partial sums or factors that are inf or NaN, and
/// where an order adds inf and -inf. Cost: sequences m 2^m additions, trees 3^m; 8 bytes (fp64: 16) for each of 2^m
/// sets.
std::optional<Extremes> extremes(const OrderSpace& space, const WalkOptions& options);

/// The sum along a tree of additions over the partial sums of `space`, which is the evaluator's.
///
/// Shape: tree.term_count() == evaluator.random_count(). The height is that of `tree` alone.
Evaluation evaluate_tree(const Evaluator& evaluator, const OrderSpace& space, const SummationTree& tree);

}  // namespace orderlab
