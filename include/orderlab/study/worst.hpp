// The orders whose sums lie farthest apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::study {

struct WorstRequest {
  Order order;
  /// Sums that a search may evaluate; empty: 20000, fewer for many terms.
  std::optional<std::uint64_t> evaluations = {};
  std::optional<double> seconds = {};  ///< search for this time instead, at most 1e9; not reproducible
  std::uint64_t seed = 1;
  double memory_bytes = 0x1p30;  ///< for the extremes of all orders
  int threads = 0;               ///< 0: all; findings never depend on it
};

/// One extreme result and an order that gives it.
struct WorstEnd {
  std::uint64_t bits = 0;
  double value = 0;
  std::optional<double> running_bound;  ///< D1 of this very order
  std::vector<std::uint32_t> order;     ///< position k holds partial sum order[k]; empty for a tree
  std::optional<SummationTree> tree;    ///< over the partial sums
};

struct WorstFinding {
  InputFacts input;
  AskedOrder asked;
  std::string name;                     ///< name of the order; empty for an expression
  std::string searched;                 ///< the order whose permutations were searched, canonical
  std::optional<Order> searched_order;  ///< the same, never empty in a finding
  std::string coverage;  ///< what was searched besides or instead of what the order draws; empty: just that
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = 0;  ///< it decides between all orders and a search
  bool exact = false;
  std::uint64_t evaluations_asked = 0;  ///< 0 for a search limited by time
  double seconds = 0;                   ///< time of such a search
  std::uint64_t evaluations = 0;        ///< sums that the search evaluated
  bool reproducible = true;
  bool partial = false;
  std::vector<double> partial_sums;
  bool fused = false;  ///< partial_sums are products rounded for show: the order fuses them
  WorstEnd least;
  WorstEnd greatest;
  ResultCounts sampled{CountingFrame{}};  ///< orders drawn as the order draws them
  std::vector<std::string> notes;         ///< lines for the end of the text
};

/// Error(usage) for a request that no input could answer: a fixed order, or one whose random stages do not just arrange
/// partial sums; both limits of the search. worst() begins with it.
void validate(const WorstRequest& request);

/// The extremes of all orders where that is quick, else those that a search finds; beside them, orders drawn as the
/// order draws them. Empty when interrupted before the first sum.
///
/// Errors: usage for an order that cannot add the terms; unsupported for more memory than is free.
std::optional<WorstFinding> worst(const Input& input, const WorstRequest& request, const Watch& watch = {});

/// The extreme farther from the exact sum; of two as far, the greatest.
const WorstEnd& farthest(const WorstFinding& finding);

/// Whether the ends of the finding would be trees, which no permutation of the partial sums gives: known before the
/// work.
bool extremes_are_trees(const Input& input, const WorstRequest& request);

/// Error of a result: x - S, infinite for an infinite result; empty for NaN or where the exact sum is not finite.
std::optional<double> worst_error(const InputFacts& input, double value);

/// The same in ulps of the exact sum.
std::optional<double> worst_error_ulp(const InputFacts& input, double value);

/// The error relative to |S|; empty also for S = 0.
std::optional<double> worst_error_relative(const InputFacts& input, double value);

/// |error| / running bound; empty where there is no bound, or one that is 0 or infinite.
std::optional<double> share_of_bound(const InputFacts& input, const WorstEnd& end);

/// How many times as far from the exact sum as the farthest sample the farther extreme is; empty where that says
/// nothing.
std::optional<double> times_as_far(const WorstFinding& finding);

}  // namespace orderlab::study
