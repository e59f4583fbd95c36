// Features of arrival orders as a fit takes them: plain numbers, and which of them there are.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/arrival_features.hpp"
#include "orderlab/parameters.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

using ArrivalOrder = std::vector<std::uint32_t>;

/// Values of kArrivalFeatures; 0 where there is none.
using Features = std::array<double, kArrivalFeatureCount>;

/// A choice of features: bit f is feature f of kArrivalFeatures.
using FeatureSet = std::bitset<kArrivalFeatureCount>;

Features values_of(const ArrivalFeatures& features);
FeatureSet defined_in(const ArrivalFeatures& features);

/// The place of a feature in kArrivalFeatures; their number for a name that none has.
constexpr std::size_t feature_named(std::string_view name) {
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
    if (kArrivalFeatures[f].name == name) return f;
  return kArrivalFeatureCount;
}

Features difference(const Features& a, const Features& b);

/// Root of the mean square of the chosen differences, each in units of its scale; 0 where none is chosen.
double feature_distance(const Features& a, const Features& b, const Features& scales, const FeatureSet& chosen);

/// Thread blocks in a pass of the grid: the least g > 1 such that in all `rows` the blocks before each multiple of g
/// arrive before those after it; the length of a row where there is no less, or where all rows are launch order. One
/// row or more, all permutations of one length.
std::size_t pass_length(ArrivalRows rows);

/// Features of a simulated recording: of `runs` orders of m thread blocks, numbers `first` on.
///
/// Draws from (seed, streams::kFit, order) alone; a steady model by a key of `first`, so that all runs of the recording
/// have one steady part. Empty when stopped.
std::optional<Features> simulate_recording(const ArrivalCall& call, std::size_t m, const FirstWave& wave,
                                           std::uint64_t seed, std::uint64_t first, std::uint64_t runs,
                                           const SampleOptions& how);

}  // namespace orderlab
