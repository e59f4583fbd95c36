// Points brought together: those that differ by their input alone, what else varies, and what to call it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "page/sweep_content.hpp"

namespace orderlab {

/// What charts say of a point on an axis: "fp32", "100 samples". Empty where it has nothing to say.
std::string words_on(const Axis& axis, const SumPoint& point);

/// Its distinct words in the order in which points have them first.
std::vector<std::string> values_of(const SweepContent& content, const Axis& axis);

bool varies(const SweepContent& content, const Axis& axis);

/// Points that differ by input and seeds only.
struct Cell {
  std::string series;  ///< order, and arrival where it varies: "ao · uniform"
  std::string facet;   ///< what else varies on axes of the role `facet`: "uniform(0,1), fp32"; or empty
  std::string apart;   ///< on the axis that facets leave out
  std::vector<const SumPoint*> points;

  const SumPoint& first() const { return *points.front(); }
};

/// What tells inputs apart: points of one key have the same terms.
using InputKey = std::pair<std::uint64_t, std::uint64_t>;
InputKey terms_of(const SumPoint& point);

/// All cells, in the order of the plan. `except` is left out of the facets' names, so facets do not differ by it.
std::vector<Cell> cells_of(const SweepContent& content, const Axis* except = nullptr);

/// Distinct names in order.
std::vector<std::string> series_names(const std::vector<Cell>& cells);
std::vector<std::string> facet_names(const std::vector<Cell>& cells);

using Quantity = std::optional<double> SumPoint::*;

/// What is measured relative to the sum, or to sum|x| where the page has sums near 0.
struct Measures {
  Quantity error;          ///< largest relative error
  Quantity spread;         ///< spread of the results: sd of Vs, or of results over sum|x|
  Quantity largest;        ///< difference from the baseline
  const char* difference;  ///< what that is: "Vs", or "difference / sum|x|"
};
Measures measures_of(const SweepContent& content);

/// Magnitudes of a quantity over the inputs where it is a finite number, zeros among them.
struct Spread {
  double rms = 0;
  double least = 0;  ///< the least of those above 0; 0 without one
  double greatest = 0;
  std::size_t inputs = 0;
  std::size_t moved = 0;  ///< spreads above 0
};

/// Empty where no point has such a number.
std::optional<Spread> spread_of(const Cell& cell, Quantity quantity);

/// Results of all points that are inf or NaN.
std::uint64_t not_finite_of(const Cell& cell);

/// For each facet, the cells at the largest n that all its series have; where there is none, as in a part of a sweep,
/// at the n that most of them have. They keep the inputs that all of them have, where there are such.
std::vector<Cell> at_common_n(const std::vector<Cell>& cells);

/// at_common_n of all cells, n in the facets' names where it is not the same in all of them.
std::vector<Cell> compared_cells(const SweepContent& content, const Axis* except = nullptr);

/// Where a compared cell stands: "n = 4096, fp32".
std::string place_in_words(const Cell& compared);

/// "n = 4096", or what compared_cells wrote into the facets.
std::string common_n_in_words(const std::vector<Cell>& compared);

/// " on 2 of 10 inputs" where a quantity is 0 on some of them; else empty.
std::string moved_in_words(const Spread& spread);

}  // namespace orderlab
