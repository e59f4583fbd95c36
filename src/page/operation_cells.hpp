// Points that are operations, brought together: those that differ by their input alone, and what to call them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "page/sweep_content.hpp"

namespace orderlab {

/// What is measured in each sample of an operation, and what is published of it.
struct OperationQuantity {
  std::string_view name;   ///< "Vc"
  std::string_view title;  ///< title of its axis
  RunSummary study::OperationMeasures::*measured;
  std::optional<double> PublishedRow::*published_mean = nullptr;  ///< null: nothing is published of it
  std::optional<double> PublishedRow::*published_sd = nullptr;
  bool is_share = false;  ///< a share of the outputs: in percent, on a linear axis; else on a logarithmic one
  std::string_view definition = {};
};

inline constexpr OperationQuantity kVc{
    .name = "Vc",
    .title = "Vc",
    .measured = &study::OperationMeasures::vc,
    .published_mean = &PublishedRow::vc_mean,
    .published_sd = &PublishedRow::vc_sd,
    .is_share = true,
    .definition = "Vc: share of the outputs with other bits than the baseline, of all outputs [Shanmugavelu2024]."};
inline constexpr OperationQuantity kVermv{
    .name = "Vermv",
    .title = "Vermv over sum|x|",
    .measured = &study::OperationMeasures::vermv_robust,
    .definition =
        "Vermv over sum|x|: mean of |a − b| / sum|x| over all outputs, a of the baseline, b of a sample, and "
        "sum|x| of what the output adds. No output near 0 dominates it."};
inline constexpr OperationQuantity kVermvAsPublished{
    .name = "Vermv as published",
    .title = "Vermv as published",
    .measured = &study::OperationMeasures::vermv_code,
    .published_mean = &PublishedRow::vermv_mean,
    .published_sd = &PublishedRow::vermv_sd,
    .definition =
        "Vermv as published: mean of |a − b| / |a + 10⁻⁸| over all outputs, a of the baseline, b of a sample, "
        "as the code of [Shanmugavelu2024] has it. Outputs near 0 dominate it."};

/// Points that differ by input and seeds only.
struct OperationCell {
  std::string series;  ///< operation, order and arrival where they vary
  std::string facet;   ///< what else varies
  double x = 0;
  std::vector<const OperationPoint*> points;

  const OperationPoint& first() const { return *points.front(); }

  /// Mean over samples and inputs, and the sd over the samples, root mean square over the inputs.
  double mean(const OperationQuantity& quantity) const;
  std::optional<double> sd(const OperationQuantity& quantity) const;

  /// Exact mean of Vc, and Vc of launch order; means over the inputs.
  std::optional<double> expected() const;
  double offset() const;
};

/// Cells over one axis: the number of outputs, or the ratio. The other of the two is in the name of the series where
/// that would else be one, and of the facet where there are several.
enum class OperationSize { outputs, ratio };
std::vector<OperationCell> operation_cells(const SweepContent& content, OperationSize over);

/// Distinct names in order.
std::vector<std::string> names_of(const std::vector<OperationCell>& cells, std::string OperationCell::*name);

/// What charts say of a point on an axis: "against launch", "ratio = 0.5".
std::string operation_words(const Axis& axis, const OperationPoint& point);

bool operations_vary(const SweepContent& content, const Axis& axis);

/// Adds a name to names, with `separator` between two.
void join(std::string& names, const std::string& separator, const std::string& name);

/// What the sweep's file has published of the operation, size and ratio of this point; null where it has nothing.
const PublishedRow* published_of(const SweepContent& content, const OperationPoint& point);

/// "54 %".
std::string percent_in_words(double share);

}  // namespace orderlab
