// What a check of an array cannot see.
#pragma once

#include <functional>
#include <vector>

#include "orderlab/output_sums.hpp"
#include "orderlab/study/operation_outcomes.hpp"

namespace orderlab::study {

/// Tries to leave out and to double contributions, of some outputs of each length. Empty for scans, of which each term
/// is in many outputs.
///
/// Shape: results[i] are those of varying output i; none where they are not known: then a change is seen if
///        `excludes(output, bits)`.
std::vector<BlindSpot> blind_spots(const OutputSums& sums, const std::vector<std::vector<OutputResult>>& results,
                                   const std::function<bool(std::size_t, std::uint64_t)>& excludes);

}  // namespace orderlab::study
