// What an order gives where fp32 additions flush subnormal numbers to zero, all of them or none, whatever its stages say.
#pragma once

#include <optional>

#include "engine/usual_arrivals.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/flushing.hpp"
#include "orderlab/study/input.hpp"

namespace orderlab::study {

/// Adds to `all`, what the order gives as it stands, what it gives where additions flush and where they do not, as
/// `flushing` allows; probabilities are means of these. Orders of a random stage differ in the additions behind it only.
void allow_flushing(const Evaluator& evaluator, const Input& input, Flushing flushing, double memory_bytes,
                    Enumeration& all);

/// Finite sums of sampled orders with either; empty without one.
std::optional<KeyInterval> flushed_samples(const Evaluator& evaluator, const Input& input, Flushing flushing);

}  // namespace orderlab::study
