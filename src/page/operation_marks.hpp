// Points that are operations, brought together: those that differ by their input alone, and what to call them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page/chart.hpp"
#include "page/study.hpp"

namespace orderlab {

/// Points that differ by input and seeds only.
struct OperationCell {
  std::string series;  ///< operation, order and arrival where they vary
  std::string facet;   ///< what else varies
  double x = 0;
  std::vector<const OperationPoint*> points;

  const OperationPoint& first() const { return *points.front(); }

  /// Mean of Vc over samples and inputs; its sd over the samples, root mean square over the inputs; its exact mean.
  double vc() const;
  std::optional<double> sd() const;
  std::optional<double> expected() const;
};

/// Cells over one axis: the number of outputs, or the ratio. The other of the two is in the name of the series where
/// that would else be one, and of the facet where there are several.
enum class OperationSize { outputs, ratio };
std::vector<OperationCell> operation_cells(const Study& study, OperationSize over);

/// Vc over it; empty where all points have one value of it.
std::optional<Figure> vc_figure(const Study& study, OperationSize over);

/// All of them as a table; empty without one.
std::string operation_table(const Study& study);

}  // namespace orderlab
