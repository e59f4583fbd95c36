// The distribution of errors as a page shows it: a histogram, and the distribution function at few places.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orderlab/distribution.hpp"

namespace orderlab {

/// `errors` (ascending) with neighbours joined into their means, of about equal counts, until there are at most `most`
/// (4 or more); the least and the greatest stay as they are.
Distribution joined_neighbours(const Distribution& errors, std::size_t most);

/// The values, of bins their middles.
std::vector<Weighted> middles_of(const Distribution& errors);

struct HistogramBar {
  double low;
  double high;
  double fraction;  ///< share of all errors
};

/// Bars of equal width that cover all `errors` (ascending, not empty), empty ones left out. The width is a power of two
/// and the least with at most `most_bars`; edges lie half a width beside the least error, so that results on a grid of
/// ulps fall into the middle of bars. Where `errors` are bins, a bar is one of them or joins 2, 4, 8, ... of
/// them, as in the histogram of a terminal (show/histogram.hpp).
std::vector<HistogramBar> histogram_of(const Distribution& errors, std::size_t most_bars = 64);

struct EcdfStep {
  double magnitude;
  double fraction;  ///< with |error| <= magnitude
};

/// The distribution function of |error| at its steps, at most `most_steps` of them: then those nearest to equal parts.
std::vector<EcdfStep> ecdf_of_magnitude(std::span<const Weighted> errors, std::size_t most_steps = 200);

}  // namespace orderlab
