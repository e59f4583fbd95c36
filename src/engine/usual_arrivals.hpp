// Sums that an order gives where partial sums arrive in other orders than uniform ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "orderlab/check.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab {

struct UsualArrivalsOptions {
  int threads = 0;  ///< 0: all
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// Arrival models that recordings were fitted to, for m units, at strengths from nearly launch order to nearly uniform.
std::vector<ArrivalCall> usual_models(std::size_t m);

/// Whether there are such orders: the first random stage arranges partial sums, fewer than 2^32.
bool arranges(const Evaluator& evaluator);

/// Sums of the usual arrival orders. Where a wanted sum lies beyond them and `sampled`, by at most a quarter of the
/// range that all these have, local changes of the outermost order are tried. No further: a search without that limit finds orders
/// that no machine has, and would explain a lost term.
///
/// Pure function of (evaluator, sampled, wanted); less of it where stopped. Needs arranges(evaluator).
UsualArrivals sums_of_usual_arrivals(const Evaluator& evaluator, std::optional<KeyInterval> sampled,
                                     std::span<const KeyInterval> wanted, const UsualArrivalsOptions& options);

}  // namespace orderlab
