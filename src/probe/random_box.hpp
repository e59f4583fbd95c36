// Boxes whose calls differ: what every call adds up alike, and how the rest varies.
#pragma once

#include "orderlab/probe.hpp"
#include "probe/asked_box.hpp"
#include "probe/pair_sizes.hpp"
#include "probe/replay.hpp"

namespace orderlab {

/// Fills in clusters, trees, orders and the reason of a box whose calls differ.
void probe_random(PairSizes& sizes, Replay& replay, ProbedOrder& result);

/// Whether the order, which draws, can give the answers to all random inputs; false where its sums are too many to
/// list.
bool gives_all(const Order& order, const Formats& formats, Replay& replay);

}  // namespace orderlab
