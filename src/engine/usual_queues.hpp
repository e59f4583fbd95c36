// Sums that a work queue gives where who takes which chunk is not uniform.
#pragma once

#include "engine/usual_arrivals.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// Sums of assignments where all workers, some or one take the chunks: each equally likely to, by service times that
/// vary not at all or much, with long pauses, or some long before the others begin. None where a queue is not the
/// order's one random stage. Where a wanted sum lies beyond these and `sampled`, by at most a quarter of the range that
/// all these have, more is drawn of those that reach farthest.
///
/// Pure function of (evaluator, terms, sampled, wanted); less of it where stopped.
UsualArrivals sums_of_usual_queues(const Evaluator& evaluator, const TermView& terms,
                                   std::optional<KeyInterval> sampled, std::span<const KeyInterval> wanted,
                                   const UsualArrivalsOptions& options);

}  // namespace orderlab
