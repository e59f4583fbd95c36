// The rate of rare events.
#pragma once

#include <cstdint>
#include <span>

#include "orderlab/study/infer.hpp"

namespace orderlab::study {

/// Events per 1000 trials, with the 95 % interval of Poisson's distribution, at most 1000.
Interval95 per_thousand(std::uint64_t events, std::uint64_t trials);

/// Events per 1000 trials, at most 1000, from events that are counted by group, each group drawn by itself. Events of
/// one group depend on each other in any way, as those of one prompt in runs that draw.
///
/// The 95 % interval is that of a sum of independent Poisson numbers, group i's with the weight events[i]: y = sum
/// events[i] has variance v = sum events[i]^2, and a gamma distribution of this mean and variance gives the lower limit.
/// For the upper limit one more group counts, whose weight is the largest of `weight` and all events[i]: what a group
/// may have that was not drawn. Where every group has one event at most and the weight is 1, this is per_thousand.
///
/// Shape:  trials >= 1, weight >= 1.
/// Source: [FayFeuer1997]
Interval95 per_thousand_by_group(std::span<const std::uint64_t> events, std::uint64_t weight, std::uint64_t trials);

}  // namespace orderlab::study
