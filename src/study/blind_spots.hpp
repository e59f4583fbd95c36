// What a check of an array cannot see.
#pragma once

#include <vector>

#include "orderlab/output_sums.hpp"
#include "orderlab/study/operation_outcomes.hpp"

namespace orderlab::study {

/// Tries to leave out and to double contributions of enumerated outputs, some of each length.
///
/// Shape: results[i] are those of varying output i; none where they are not known.
std::vector<BlindSpot> blind_spots(const OutputSums& sums, const std::vector<std::vector<OutputResult>>& results);

}  // namespace orderlab::study
