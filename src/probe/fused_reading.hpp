// What a step of a box does, read off from a few directed calls.
#pragma once

#include "orderlab/fused_probe.hpp"
#include "probe/fused_calls.hpp"

namespace orderlab {

/// Asks about n calls, or 2 n where sums are in fp16. Steps of a single product are called a chain, whether or not they
/// cut; what these do is not read. Steps of two that do not cut the sum before may be pairs, or aligned in runs of two.
FusedReading read_fused_steps(FusedCalls& calls);

}  // namespace orderlab
