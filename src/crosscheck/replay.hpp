// The order of float atomics, found from the values that they returned.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/evaluator.hpp"

namespace orderlab {

/// An order in which float atomics may have been done, or why there is none.
struct Replay {
  std::vector<std::uint32_t> order;  ///< for Evaluator::evaluate_arranged; empty if there is a problem
  std::string problem;               ///< "unit 17 returned 0x..., which ..."; empty if there is an order
};

/// An order of the evaluator's partial sums p_i in which the atomic of unit i returns returned[i], bits of the
/// accumulate format, NaN as NaN.
///
/// An atomic that returned r is an edge from r to fl(r + p); all edges make an Eulerian path from +0.0, and each such
/// path is an order that has returned just these values and ends in the same bits. Which of them a GPU took cannot be
/// told, and does not matter.
/// Shape:  the order is `... | arrive | seq(acc=atomic)` or, for cells that keep subnormals, `seq(from=zero)`; else
///         Error(unsupported).
/// `idle` is what units m, m+1, ... added, which have no partial sum in the order: returned has a value for them too,
/// and the order found places them.
/// Cost:   O(m) time and memory, by Hierholzer's algorithm.
Replay replay_atomics(const Evaluator& evaluator, std::span<const std::uint64_t> returned,
                      std::span<const double> idle = {});

/// A cell of memory and the float atomics that were done on it.
struct CellAtomics {
  Format format = Format::fp32;
  bool flush = false;                         ///< additions take subnormal numbers for zeros
  double start = 0;                           ///< what the cell held before
  std::span<const double> added;              ///< by atomic: numbers of the format
  std::span<const std::uint64_t> returned;    ///< by atomic: bits of the format
  std::string_view noun = "unit";             ///< what does an atomic, for messages
  std::span<const std::uint32_t> names = {};  ///< its number there; empty: that of the atomic
  std::span<const std::size_t> thread = {};   ///< that does it: two of one thread are done in the order in which they
                                              ///< stand; empty: each is done by a thread of its own
};

/// The same of one cell. Where atomics return equal values, several orders may have given them, all with the same last
/// value; one that keeps every thread's order is searched for among them as far as that is quick, and if none is found
/// then, one that does not is taken.
Replay replay_cell(const CellAtomics& atomics);

}  // namespace orderlab
