// Is a fitted model near enough to recorded rows that it has not seen?
#pragma once

#include <cstdint>
#include <span>

#include "fit/features.hpp"
#include "orderlab/fit.hpp"

namespace orderlab {

/// Sets `model`'s matches and its distance from the rows held out, `units` being simulated orders of it.
void judge(FittedModel& model, const RecordedFeatures& held_out, std::span<const Features> units, std::uint64_t seed);

}  // namespace orderlab
