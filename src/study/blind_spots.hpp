// What a check of an array cannot see.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "orderlab/output_sums.hpp"
#include "orderlab/study/operation_outcomes.hpp"

namespace orderlab::study {

/// What one model of an operation gives.
struct KnownOutcomes {
  const OutputSums& sums;
  const std::vector<std::vector<OutputResult>>&
      results;  ///< results of each varying output; none where they are not known
};

/// Tries to leave out and to double contributions, of some outputs of each length. Empty for scans, of which each term
/// is in many outputs.
///
/// A change of the first model's launch order is seen if no model gives its result; where results are not known, if
/// `excludes(output, bits)`.
///
/// Shape: at least one model.
std::vector<BlindSpot> blind_spots(std::span<const KnownOutcomes> models,
                                   const std::function<bool(std::size_t, std::uint64_t)>& excludes);

}  // namespace orderlab::study
