// JSON of one seed's runs.
#pragma once

#include "config/json.hpp"
#include "orderlab/study/train.hpp"

namespace orderlab {

/// Scores as lists over orders of lists over epochs; differences without the first order; margins as lists of nodes,
/// nodes that flip, flips.
Json seed_json(const study::SeedRecord& record);

}  // namespace orderlab
