// Boxes whose calls differ: what every call adds up alike, and how the rest varies.
#pragma once

#include "orderlab/probe.hpp"
#include "probe/asked_box.hpp"
#include "probe/pair_sizes.hpp"
#include "probe/replay.hpp"

namespace orderlab {

/// Fills in clusters, trees, orders and the reason of a box whose calls differ.
void probe_random(PairSizes& sizes, BoxReplay& replay, ProbedOrder& result);

/// Whether all sums that the order, which draws, can give of an input are few enough to be listed.
bool sums_are_listed(const Order& order, const Formats& formats, BoxReplay& replay);

/// Whether it can give the answers to all random inputs; false where they cannot be listed.
bool gives_all(const Order& order, const Formats& formats, BoxReplay& replay);

}  // namespace orderlab
