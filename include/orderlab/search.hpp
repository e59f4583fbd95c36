// A heuristic search for extreme orders where they cannot be computed; some order gives every sum that it finds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "orderlab/evaluator.hpp"

namespace orderlab {

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
