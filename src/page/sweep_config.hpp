// The config of a sweep, reconstructed from its points.
#pragma once

#include <string>

#include "page/sweep_content.hpp"

namespace orderlab {

/// TOML with the values that the points have on each axis, in the order in which they have them first. Pairs of two
/// axes that no point of a finished sweep has are excluded: it gives the points of the content, and those that the
/// sweep's own config excluded by three conditions at once.
std::string sweep_config(const SweepContent& content);

}  // namespace orderlab
