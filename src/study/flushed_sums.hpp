// What an order gives where fp32 additions flush subnormal numbers to zero or keep them, whatever its stages say.
#pragma once

#include <optional>

#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// What flushing changes a sum of n terms by at most, where stages say nothing of it: what each addition loses, rounded
/// by those after it.
double flushed_bound(std::uint64_t n);

/// All results of a fixed order, equally likely. With `either` each addition may flush or keep; of more than a million
/// terms, of other operations than additions, or of thousands of different sums: all of them or none.
Distribution flushed_results(const Evaluator& evaluator, const Input& input, Flushing flushing);

/// All results of all orders: with `either`, of up to 8 terms, where each addition may flush or keep. Empty where that
/// is not known: a stage adds before the first random one, orders are trees, or they are too many.
std::optional<Enumeration> flushed_orders(const Evaluator& evaluator, Flushing flushing, double memory_bytes,
                                          int threads, const Watch& watch);

/// From the least to the greatest finite sum of sampled orders, where all additions flush, or none; empty without one.
std::optional<KeyInterval> flushed_samples(const Evaluator& evaluator, const Input& input, Flushing flushing);

}  // namespace orderlab::study
