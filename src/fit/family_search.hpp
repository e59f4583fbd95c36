// The search for the parameters of one family of arrival models, and for their errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fit/families.hpp"
#include "fit/minimize.hpp"
#include "fit/recorded_rows.hpp"
#include "fit/response_surface.hpp"
#include "fit/simulations.hpp"

namespace orderlab {

/// A fitted model and its features, and what recordings leave open of both.
///
/// A residual is recorded - fitted. `resampled` has how it changes in each resampled recording when the model is fitted
/// again, `simulated` the same in recordings simulated from the model.
struct FoundModel {
  FittedModel model;    ///< only what it is, and its parameters
  Features features{};  ///< means over Simulations::kJudging recordings
  std::vector<Features> resampled;
  std::vector<Features> simulated;
  std::vector<Features> fold_features;  ///< when fitted to the other runs of each fold
};

class FamilySearch {
 public:
  FamilySearch(const ArrivalFamily& family, const RecordedRows& rows, const RecordedLaunch& launch,
               Simulations& simulations);

  /// The most calls of Simulations::to_fit and fresh that a fit of this family takes.
  static std::uint64_t most_evaluations(const ArrivalFamily& family, const RecordedLaunch& launch);

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
    std::vector<Features> residuals() const;
  };
  struct Uncertainty {
    double error = 0;
    double half_width = 0;  ///< of a 95 % interval
  };
  /// The nearest point of a surface, what recordings leave open of it, and how its features move with them.
  struct Refined {
    std::vector<double> point;
    std::vector<std::optional<Uncertainty>> uncertain;  ///< for each coordinate; empty where nothing determines it
    std::vector<Features> resampled;
    std::vector<Features> simulated;
    std::vector<Features> folds;  ///< changes of the model's features
  };
  class Spread;

  std::optional<std::vector<double>> nearest();
  std::vector<Minimum> evaluated_starts();
  std::optional<Minimum> descend(const std::vector<double>& from, const MinimizeLimits& limits);
  std::optional<double> distance(std::span<const double> point);
  std::optional<Refined> refined(const std::vector<double>& from, std::uint64_t seed);
  std::optional<Surroundings> explored(const std::vector<double>& middle, const std::vector<double>& radius);
  Refined resampled(const Surroundings& around, const ResponseSurface::Point& x, std::uint64_t seed) const;
  std::vector<Features> fold_changes(const Surroundings& around, const ResponseSurface::Point& x) const;
  bool determines(const Surroundings& around, const ResponseSurface::Point& x, std::size_t i) const;
  ResponseSurface::Point with_whole_numbers(const Surroundings& around, ResponseSurface::Point x) const;
  FittedParameter parameter(const ArrivalCall& call, const Refined& refined, std::size_t i) const;

  Coordinates coordinates_;
  const RecordedRows& rows_;
  RecordedLaunch launch_;
  Simulations& simulations_;
  std::size_t left_ = 0;  ///< evaluations that the search may still take
};

}  // namespace orderlab
