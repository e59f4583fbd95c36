// The largest error against the number of terms.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

/// Beyond this a running sum has lost half of what was to be added.
constexpr double kStandsStill = 0.5;

void conclude(const std::string& facet, const std::vector<Cell>& cells, Figure& figure) {
  const std::vector<Cell> last = at_largest_n(cells);
  std::vector<std::pair<double, const Cell*>> errors;
  for (const Cell& cell : last)
    if (const auto error = spread_of(cell, &StudyPoint::relative_max_abs); error && cell.facet == facet)
      errors.emplace_back(error->greatest, &cell);
  if (errors.empty()) return;
  const auto [least, greatest] = std::minmax_element(errors.begin(), errors.end());
  const StudyPoint& at = greatest->second->first();
  const std::string where =
      fmt::format("At n = {}{}", count_in_words(at.n), facet.empty() ? std::string() : ", " + facet);
  std::vector<std::string> still;
  for (const auto& [error, cell] : errors)
    if (error > kStandsStill && cell->first().condition.value_or(0) < 2) still.push_back(cell->series);
  if (!still.empty())
    figure.conclusions.push_back(fmt::format("{}, the sum by {} has stood still: it is off by {}.", where,
                                             listed(still), part_of_sum(greatest->first)));
  else if (least->second->series != greatest->second->series)
    figure.conclusions.push_back(fmt::format("{}, {} is off by {} at most, {} by {}.", where, least->second->series,
                                             part_of_sum(least->first), greatest->second->series,
                                             part_of_sum(greatest->first)));
}

std::optional<Figure> draw(const Study& study) {
  if (!varies(study, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = cells_of(study);
  SeriesPlot plot("number of terms n", "largest relative error", series_names(cells));
  for (const Cell& cell : cells)
    if (const auto error = spread_of(cell, &StudyPoint::relative_max_abs))
      plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *error);
  if (plot.empty()) return std::nullopt;
  for (const std::string& facet : facet_names(cells)) {
    const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Cell& c) { return c.facet == facet; });
    plot.add_reference(facet, "u", info(cell->first().formats.result).unit_roundoff(), 0);
  }
  Figure figure;
  figure.leads = varies(study, axes::kFormat) && values_of(study, axes::kFormat).size() > 2;
  for (const std::string& facet : facet_names(cells)) conclude(facet, cells, figure);
  figure.spec =
      plot.spec("Largest relative error of the sums against the number of terms", varies(study, axes::kFormat));
  figure.caption =
      "Largest |computed − exact| / |exact| over the samples; marks are geometric means over the inputs, bars "
      "reach from the least to the greatest input. Dotted: u, the unit roundoff of the result's format. Sums "
      "without any error have no mark, and neither have sums that overflow.";
  return figure;
}

}  // namespace

extern const Chart kAccuracyChart;
const Chart kAccuracyChart{.name = "accuracy", .title = "Largest error against the number of terms", .draw = draw};

}  // namespace orderlab
