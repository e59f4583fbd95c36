// What recorded rows leave open: the features of resampled rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fit/bootstrap.hpp"
#include "fit/features.hpp"

namespace orderlab {

/// Recorded rows by what a fit needs of them.
struct ResampledRows {
  std::size_t rows = 0;
  bool vary = false;  ///< else a bootstrap says nothing of errors
  Features mean{};
  std::vector<Features> replicates;  ///< features of kReplicates resamplings of the rows
  Features scales{};  ///< for a difference: what is accepted and the standard error of the mean, added as variances
};

/// Replicate b draws from the stream first + 2 b.
ResampledRows resample(const RecordedFeatures& rows, std::uint64_t seed, std::uint64_t first);

/// Root mean square of each feature over replicates of a change.
Features root_mean_squares(std::span<const Features> changes);

Features difference(const Features& a, const Features& b);

}  // namespace orderlab
