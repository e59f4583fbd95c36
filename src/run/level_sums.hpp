// Sums of runs whose trees have levels: every addition of a level is done at once, and no number changes its place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "orderlab/format.hpp"
#include "run/rows.hpp"

namespace orderlab {

/// How a run of numbers is added: each level adds chunks 2j and 2j + 1 of the output of the level before, number by
/// number; the sums are chunk j of its output.
enum class Levels : std::uint8_t {
  none,        ///< no such way is known
  neighbours,  ///< chunks of one number: neighbours first
  halves,      ///< chunks of half of the run that remains: far partners first
};

/// Consecutive runs.
struct LevelRuns {
  static constexpr std::size_t kMostMembers = 256;  ///< so that the partial sums of 16 runs of doubles fit into L1

  Format format;
  const void* numbers;
  std::size_t runs;
  std::size_t members;  ///< size of each run: a power of two in [2, kMostMembers]
  Levels levels;        ///< not none
};

/// The sums of the runs.
///
/// Error:   every addition is rounded once; `errors`, unless it is null, gets each of them, number i of a level in
///          lane i % kLanes.
/// Special: a NaN is a NaN, of any sign and payload.
void add_levels(const LevelRuns& runs, void* sums, RowErrors* errors);

}  // namespace orderlab
