// The least and the greatest result that any order gives, and an order that gives it: exact for few partial sums, found
// by a heuristic search for many.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"

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
/// where an order adds inf and -inf.
///
/// Cost: sequences m 2^m additions, trees 3^m; 8 bytes (fp64: 16) for each of 2^m
/// sets.
std::optional<Extremes> extremes(const OrderSpace& space, const WalkOptions& options);

/// The sum along a tree of additions over the partial sums of `space`, which is the evaluator's.
///
/// Shape: tree.term_count() == evaluator.random_count(). The height is that of `tree` alone.
Evaluation evaluate_tree(const Evaluator& evaluator, const OrderSpace& space, const SummationTree& tree);

struct SearchOptions {
  std::uint64_t evaluations = 20000;  ///< sums to spend, constructions counted as the sums they cost; at least 1
  double seconds = 0;                 ///< above 0: search for this time instead; not reproducible
  int threads = 0;                    ///< 0: all
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< called from one thread at a time
};

struct FoundOrder {
  std::vector<std::uint32_t> order;  ///< position k holds partial sum order[k]
  Evaluation evaluation;             ///< evaluate_arranged(order)
};

struct SearchResult {
  FoundOrder least;
  FoundOrder greatest;
  std::uint64_t evaluations = 0;  ///< spent
  bool complete = true;           ///< false when stopped
};

/// The least and the greatest result found over permutations of the partial sums that the evaluator's first random
/// stage arranges.
///
/// Starts are sorted, sign-grouped, random, and constructed to round one way; local changes that make the best of them
/// no worse follow, in a fixed number of chains. Finding the extreme is NP-hard [KaoWang2000].
/// The result is a function of (evaluator, seed, evaluations) for any number of threads, unless `seconds` is given or
/// it was stopped. Empty when stopped before the first sum. NaN is taken only where nothing else was found.
/// Errors: usage unless the first random stage arranges and is the only one; unsupported for 2^32 partial sums or more.
std::optional<SearchResult> search_extremes(const Evaluator& evaluator, const SearchOptions& options);

/// Estimate of the bytes that it takes beside the evaluator's own scratches.
double search_memory_bytes(std::uint64_t partial_sums, int threads);

}  // namespace orderlab
