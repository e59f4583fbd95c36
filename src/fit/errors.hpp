// Standard errors of fitted parameters, by bootstrap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fit/bootstrap.hpp"
#include "fit/features.hpp"

namespace orderlab {

/// Gauss-Newton: d parameters = matrix * d features, for features compared in units of `tolerances`. `slopes[i]`:
/// derivatives of the features by parameter i. Empty where the features do not tell the parameters apart.
std::optional<std::vector<Features>> gauss_newton(std::span<const Features> slopes, const Features& tolerances);

/// For each parameter kReplicates deviations from the fit: rows and simulated units are resampled, and
/// the matrix carries the change of their difference to the parameters.
std::vector<std::vector<double>> bootstrap_deviations(const RecordedFeatures& rows, std::span<const Features> units,
                                                      std::span<const Features> matrix, std::uint64_t seed);

}  // namespace orderlab
