// The search for the parameters of one family of arrival models, and for their errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fit/errors.hpp"
#include "fit/families.hpp"
#include "fit/minimize.hpp"
#include "fit/response_surface.hpp"
#include "fit/simulations.hpp"

namespace orderlab {

/// A fitted model, and how far its features move with its parameters in each bootstrap replicate of the fitted rows.
struct FoundModel {
  FittedModel model;  ///< fields about the rows held out are not set
  std::vector<Features> moved;
};

class FamilySearch {
 public:
  /// Fits to `rows`, whose displacements tell where to start and whose passes have `pass` thread blocks.
  FamilySearch(const ArrivalFamily& family, const ResampledRows& rows, std::size_t pass, Simulations& simulations);

  /// The most calls of Simulations::to_fit and fresh that a fit of this family takes.
  static std::uint64_t most_evaluations(const ArrivalFamily& family, std::size_t m);

  /// The nearest model with its parameters and their errors. Empty when stopped.
  std::optional<FoundModel> found(std::uint64_t seed);

 private:
  /// Simulated features around a point: coordinates are centre + radius x, x as a surface takes it.
  struct Surroundings {
    std::vector<double> centre;
    std::vector<double> radius;
    std::vector<ResponseSurface::Point> points;
    std::vector<Features> features;
    ResponseSurface::Box box;                ///< where the surface is believed and the parameters have values
    std::optional<ResponseSurface> surface;  ///< empty where the features do not tell the parameters apart

    std::vector<double> coordinates(std::span<const double> x) const;
    ResponseSurface::Point from_coordinates(std::span<const double> point) const;
  };
  /// The nearest point of a surface, and how far it moves in each bootstrap replicate.
  struct Refined {
    std::vector<double> point;
    std::vector<std::optional<double>> errors;  ///< for each coordinate; empty where the features do not determine it
    std::vector<Features> moved;
  };

  std::optional<std::vector<double>> nearest();
  std::vector<Minimum> evaluated_starts();
  std::optional<Minimum> descend(const std::vector<double>& from, const MinimizeLimits& limits);
  std::optional<double> distance(std::span<const double> point);
  std::optional<Refined> refined(const std::vector<double>& from, std::uint64_t seed);
  std::optional<Surroundings> explored(const std::vector<double>& middle, const std::vector<double>& radius);
  Refined resampled(const Surroundings& around, const ResponseSurface::Point& x, std::uint64_t seed) const;
  bool determines(const Surroundings& around, const ResponseSurface::Point& x, std::size_t i) const;
  ResponseSurface::Point with_whole_numbers(const Surroundings& around, ResponseSurface::Point x) const;
  FittedParameter parameter(const ArrivalCall& call, const Refined& refined, std::size_t i) const;

  Coordinates coordinates_;
  FeatureSet fitted_;
  const ResampledRows& rows_;
  Simulations& simulations_;
  std::size_t left_ = 0;  ///< evaluations that the search may still take
};

}  // namespace orderlab
