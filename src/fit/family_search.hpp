// The search for the parameters of one family of arrival models, and for their errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fit/families.hpp"
#include "fit/features.hpp"
#include "fit/minimize.hpp"
#include "fit/simulations.hpp"

namespace orderlab {

class FamilySearch {
 public:
  /// Fits to `rows`, whose displacements tell where to start.
  FamilySearch(const ArrivalFamily& family, const RecordedFeatures& rows, Simulations& simulations);

  /// The most calls of Simulations::to_fit that a fit of this family takes.
  static std::uint64_t most_evaluations(const ArrivalFamily& family, std::size_t m);

  /// The nearest model with its parameters and their errors, matches left empty. Empty when stopped.
  std::optional<FittedModel> fitted(std::uint64_t seed);

 private:
  std::optional<std::vector<double>> nearest();
  std::optional<std::vector<double>> polished(Minimum from);
  std::vector<Minimum> evaluated_starts();
  std::optional<Minimum> descend(const std::vector<double>& from, const MinimizeLimits& limits);
  std::optional<double> distance(std::span<const double> point);
  std::optional<std::vector<Features>> slopes_at(const std::vector<double>& point);
  FittedParameter parameter(const ArrivalCall& call, const std::vector<double>& point, std::size_t i,
                            const std::vector<double>& deviations) const;

  Coordinates coordinates_;
  const RecordedFeatures& rows_;
  Features recorded_;
  Simulations& simulations_;
  std::size_t left_ = 0;  ///< evaluations that the search may still take
};

}  // namespace orderlab
