// How far fixed orders lie from one baseline that all of them have.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/ranking.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

// Fixed orders only: of random ones |Vs| has two parts, which another chart takes apart.
std::vector<Cell> fixed_cells(std::vector<Cell> cells) {
  std::erase_if(
      cells, [](const Cell& cell) { return cell.first().random || cell.first().expression == cell.first().baseline; });
  return cells;
}

// As the config names it, where it is one of the orders.
std::string name_of_baseline(const Study& study) {
  const std::string& baseline = study.points.front().baseline;
  for (const StudyPoint& point : study.points)
    if (point.expression == baseline) return point.order;
  return baseline;
}

void conclude_differences(const std::string& facet, const std::vector<Cell>& compared, const std::string& baseline,
                          Figure& figure) {
  std::vector<Ranked> differences;
  for (const Cell& cell : compared)
    if (const auto vs = spread_of(cell, &StudyPoint::vs_max_abs); vs && cell.facet == facet)
      differences.push_back({vs->greatest, cell.series});
  if (differences.empty()) return;
  const Tie far = greatest_of(differences);
  const Tie near = least_of(differences);
  if (!(far.value > 0)) {
    figure.conclusions.push_back(fmt::format("At {}, {} {} the same results as {}.", facet, far.names,
                                             far.several ? "give" : "gives", baseline));
    return;
  }
  std::string text = fmt::format("At {}, {} {} up to {} from {}", facet, far.names, far.several ? "lie" : "lies",
                                 part_of_sum(far.value), baseline);
  if (!far.all)
    text += near.value > 0 ? fmt::format(", {} {}", near.names, part_of_sum(near.value))
                           : fmt::format("; {} {} no other results", near.names, near.several ? "give" : "gives");
  figure.conclusions.push_back(text + ".");
}

std::optional<Figure> draw_differences(const Study& study) {
  const std::string& baseline = study.points.front().baseline;
  const bool one = std::all_of(study.points.begin(), study.points.end(),
                               [&](const StudyPoint& point) { return point.baseline == baseline; });
  if (baseline.empty() || !one || !varies(study, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = fixed_cells(cells_of(study));
  if (series_names(cells).size() < 2) return std::nullopt;
  SeriesPlot plot("number of terms n", "max |Vs|", series_names(cells_of(study)));
  for (const Cell& cell : cells)
    if (const auto vs = spread_of(cell, &StudyPoint::vs_max_abs))
      plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *vs, SeriesPlot::Mark::greatest);
  Figure figure;
  std::vector<Cell> compared = at_common_n(cells);
  for (Cell& cell : compared) cell.facet = place_in_words(cell);
  for (const std::string& facet : facet_names(compared))
    conclude_differences(facet, compared, name_of_baseline(study), figure);
  if (plot.empty()) return std::nullopt;
  figure.leads = std::none_of(study.points.begin(), study.points.end(), [](const StudyPoint& p) { return p.random; });
  figure.spec = plot.spec("The largest difference from the baseline against the number of terms", false);
  figure.caption = fmt::format(
      "Largest |Vs| = ||S_d| − |S|| / |S_d| over the inputs, S_d the result of the baseline, {}; bars down to the "
      "input with the least above 0. An order whose results are those of the baseline has no mark.",
      name_of_baseline(study));
  return figure;
}

}  // namespace

extern const Chart kDifferencesChart;
const Chart kDifferencesChart{
    .name = "differences", .title = "How far orders lie from the baseline", .draw = draw_differences};

}  // namespace orderlab
