// How precise the accumulators of a box are.
#pragma once

#include <optional>

#include "orderlab/format.hpp"
#include "orderlab/probe.hpp"
#include "probe/asked_box.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// Exponents of the largest mask and of the units for terms of the format.
struct MaskRange {
  int mask;
  int unit;
  int unit_if_flushed;
};
MaskRange mask_range(Format format);

/// Widens what was measured by additions inside of subtrees of the box's tree, which is binary: far terms meet in few
/// additions only.
void measure_inside(AskedBox& box, const TreeShape& shape, AccumulatorPrecision& precision);

/// Whether (2^r, 1, -2^r) loses the 1 from another r on where all three are much smaller, or larger: values choose the
/// precision. False where the format has no room for that.
bool precision_depends_on_magnitude(AskedBox& box, const AccumulatorPrecision& precision);

/// Whether a unit survives two pairs of masks, one far above the other, as in exact sums; twice the precision loses it.
/// Empty for formats too narrow for that, and fewer than five terms.
std::optional<bool> keeps_three_levels(AskedBox& box);

/// Some hundred calls. Shape: n >= 2.
AccumulatorPrecision measure_accumulator(AskedBox& box);

}  // namespace orderlab
