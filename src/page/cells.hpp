// Points brought together: those that differ by their input alone, what else varies, and what to call it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page/study.hpp"

namespace orderlab {

/// A quantity that may vary over a study.
struct Axis {
  const char* name;
  std::string (*text)(const StudyPoint& point);
};

namespace axes {
extern const Axis kTerms;
extern const Axis kFormat;
extern const Axis kBaseline;
extern const Axis kSamples;
extern const Axis kOrder;
extern const Axis kArrival;
extern const Axis kN;
}  // namespace axes

/// Distinct values in the order in which points have them first.
std::vector<std::string> values_of(const Study& study, const Axis& axis);

bool varies(const Study& study, const Axis& axis);

/// Points that differ by input and seeds only.
struct Cell {
  std::string series;  ///< order, and arrival where it varies: "ao · uniform"
  std::string facet;   ///< what else varies of terms, format, baseline and samples: "uniform(0,1), fp32"; or empty
  std::vector<const StudyPoint*> points;

  const StudyPoint& first() const { return *points.front(); }
};

/// All cells, in the order of the plan. `except` is left out of the facets' names, so not told apart by them.
std::vector<Cell> cells_of(const Study& study, const Axis* except = nullptr);

/// Distinct names in order.
std::vector<std::string> series_names(const std::vector<Cell>& cells);
std::vector<std::string> facet_names(const std::vector<Cell>& cells);

using Quantity = std::optional<double> StudyPoint::*;

/// Of the points whose quantity is a finite number above 0, in magnitude.
struct Spread {
  double geometric_mean;
  double least;
  double greatest;
};

/// Empty where no point has such a number.
std::optional<Spread> spread_of(const Cell& cell, Quantity quantity);

/// The cells at the largest n of each series and facet.
std::vector<Cell> at_largest_n(const std::vector<Cell>& cells);

}  // namespace orderlab
