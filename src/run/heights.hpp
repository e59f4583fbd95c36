// Heights that steps leave, derived from their descriptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "orderlab/plan.hpp"
#include "orderlab/steps.hpp"
#include "run/height_runs.hpp"

namespace orderlab {

/// Heights of what a reducing step leaves of partial sums with the heights `in`; the step is not a random one.
HeightRuns heights_after(const Step& step, const HeightRuns& in);

struct PlanHeights {
  /// Fixed steps before the first that moves partial sums of unequal heights, by value or not: numbers and heights
  /// can be found apart up to here.
  std::size_t steps_apart = 0;
  HeightRuns left;  ///< heights that these steps leave

  /// The height of the sum, where it is the same in every sample and needs no numbers.
  std::optional<std::uint64_t> sum;
};

PlanHeights heights_of(const Plan& plan);

/// The same of fixed steps at the beginning of a plan, without the height of the sum.
PlanHeights heights_of(std::span<const PlannedStep> fixed, std::size_t n);

/// Heights that `steps`, from a random one on, leave of partial sums with the heights `in`; empty where they depend on
/// the draw. Equal heights stay equal however they are moved, so moves are passed over.
std::optional<HeightRuns> drawn_heights(std::span<const PlannedStep> steps, const HeightRuns& in);

/// The same of steps that leave the sum alone.
std::optional<std::uint64_t> sum_height(std::span<const PlannedStep> steps, const HeightRuns& in);

/// Height of the sum that such steps make if they only move the partial sums and then add them from left to right, and
/// all but one have the same height and that one a lower one, as the rest of a tile has; else empty. The first two pass
/// through all additions, and one of them has the greatest height, whatever is drawn.
std::optional<std::uint64_t> height_in_turn(std::span<const PlannedStep> steps, const HeightRuns& in);

/// Height of every partial sum that a drawn tree adds, if such steps only move the partial sums, all of one height, and
/// then add them by that tree; else empty. The levels of the tree are to be added to it.
std::optional<std::uint64_t> height_below_tree(std::span<const PlannedStep> steps, const HeightRuns& in);

}  // namespace orderlab
