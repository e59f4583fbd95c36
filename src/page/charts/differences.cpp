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
std::string name_of_baseline(const SweepContent& content) {
  const std::string& baseline = content.points.front().baseline;
  for (const SumPoint& point : content.points)
    if (point.expression == baseline) return point.order;
  return baseline;
}

void conclude_differences(const SweepContent& content, const std::string& facet, const std::vector<Cell>& compared,
                          Figure& figure) {
  const std::string baseline = name_of_baseline(content);
  std::vector<Ranked> differences;
  for (const Cell& cell : compared)
    if (const auto vs = spread_of(cell, measures_of(content).largest); vs && cell.facet == facet)
      differences.push_back({vs->greatest, cell.series});
  if (differences.empty()) return;
  const Tie far = greatest_of(differences);
  const Tie near = least_of(differences);
  if (!(far.value > 0)) {
    figure.conclusions.push_back(fmt::format("At {}, {} {} the same results as {}.", facet, far.names,
                                             far.several ? "give" : "gives", baseline));
    return;
  }
  std::string text =
      fmt::format("At {}, {} {} from {} by up to {}", facet, far.names, far.several ? "differ" : "differs", baseline,
                  part_of_sum(far.value, whole_of(content)));
  if (!far.all)
    text += near.value > 0 ? fmt::format(", {} by up to {}", near.names, part_in_words(near.value))
                           : fmt::format("; {} {} the same results", near.names, near.several ? "give" : "gives");
  figure.conclusions.push_back(text + ".");
}

std::optional<Figure> draw_differences(const SweepContent& content) {
  const std::string& baseline = content.points.front().baseline;
  const bool one = std::all_of(content.points.begin(), content.points.end(),
                               [&](const SumPoint& point) { return point.baseline == baseline; });
  if (baseline.empty() || !one || !varies(content, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = fixed_cells(cells_of(content));
  if (series_names(cells).size() < 2) return std::nullopt;
  SeriesPlot plot("number of terms n", content.near_zero ? "largest difference / sum|x|" : "max |Vs|",
                  series_names(cells_of(content)));
  for (const Cell& cell : cells)
    if (const auto vs = spread_of(cell, measures_of(content).largest))
      plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *vs, SeriesPlot::Mark::greatest);
  Figure figure;
  std::vector<Cell> compared = at_common_n(cells);
  for (Cell& cell : compared) cell.facet = place_in_words(cell);
  for (const std::string& facet : facet_names(compared)) conclude_differences(content, facet, compared, figure);
  if (plot.empty()) return std::nullopt;
  figure.leads = std::none_of(content.points.begin(), content.points.end(), [](const SumPoint& p) { return p.random; });
  figure.spec =
      plot.spec("The largest difference from the baseline against the number of terms", varies(content, axes::kFormat));
  figure.caption = fmt::format(
      "Largest {} over the inputs, S_d the result of {}. Bars: smallest to largest input. Hollow marks at 0: the "
      "same results as the baseline.",
      content.near_zero ? "|S_d − S| / sum|x|" : "|Vs| = ||S_d| − |S|| / |S_d|", baseline_in_words(content));
  return figure;
}

}  // namespace

extern const Chart kDifferencesChart;
const Chart kDifferencesChart{.name = "differences", .title = "Difference from the baseline", .draw = draw_differences};

}  // namespace orderlab
