// Is a fitted model near enough to recorded rows that it has not seen?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fit/family_search.hpp"
#include "orderlab/fit.hpp"

namespace orderlab {

/// Sets matches and the distance from the rows held out of `found.model`, `units` being simulated orders of it, of
/// `length` thread blocks.
///
/// A feature's interval lies around the recorded value; the fitted values of a model that is right all lie in theirs
/// with probability 0.95. It comes from a bootstrap over the rows held out, the rows fitted and the simulated units:
/// the 95 % quantile of the largest difference, each in units of its standard error, made Student's.
/// Returns its distance in each bootstrap replicate of the rows held out and of the units.
std::vector<double> judge(FoundModel& found, const ResampledRows& held_out, std::span<const Features> units,
                          std::size_t length, std::uint64_t seed);

/// Sets which candidates (the accepted models, or all if none is) are as near as the nearest: farther by no more than
/// the `held_out` rows leave open, one-sided 97.5 %. distances[i] are those that judge returned for model i.
void mark_as_near(std::span<FittedModel> models, std::span<const std::vector<double>> distances, std::size_t held_out);

}  // namespace orderlab
