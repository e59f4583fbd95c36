// How precise the accumulators of a box are.
#pragma once

#include "orderlab/format.hpp"
#include "orderlab/probe.hpp"
#include "probe/asked_box.hpp"

namespace orderlab {

/// Exponents of the largest mask and of the units for terms of the format.
struct MaskRange {
  int mask;
  int unit;
  int unit_if_flushed;
};
MaskRange mask_range(Format format);

/// Some hundred calls. Shape: n >= 2.
Accumulator measure_accumulator(AskedBox& box);

}  // namespace orderlab
