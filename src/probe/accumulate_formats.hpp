// Formats that additions of a measured precision may be done in.
#pragma once

#include <optional>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/probe.hpp"

namespace orderlab {

/// Formats with one of the measured precisions, or with one bit less, as Kahan's sum has one bit more than its format.
/// Where none was measured: that of the terms, and wider ones.
std::vector<Format> accumulate_formats(Format terms, const std::optional<AccumulatorPrecision>& measured);

}  // namespace orderlab
