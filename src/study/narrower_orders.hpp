// The sums of the terms by orders that round more than the accumulate format asks for.
#pragma once

#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/watch.hpp"
#include "study/known_sums.hpp"

namespace orderlab::study {

/// An order and its sum in these formats.
struct NarrowerSum {
  KnownSum order;
  Formats formats;
};

/// The sums by the fixed orders of `device` with accumulators of fewer bits than the accumulate format, and, in the
/// formats of the input, by orders whose partial sums are rounded to such a format: chunks as split-K makes them, each
/// rounded and added in it or in the accumulate format; accumulators in memory that are stored in it; and, of products,
/// by the units that add such products. Plain narrow accumulators come first. When stopped, those that were had.
std::vector<NarrowerSum> narrower_sums(const Input& input, OrderDevice device, const Loop& loop, const Watch& watch);

}  // namespace orderlab::study
