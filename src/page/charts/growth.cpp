// How far sums move against the number of terms.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/power_law.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

struct Line {
  std::string series;
  std::string facet;
  std::vector<XY> points;  ///< every input apart
  std::uint64_t n = 0;     ///< the largest
  double spread = 0;       ///< there
  double largest = 0;      ///< |Vs| there
  std::optional<PowerLaw> law;
};

std::vector<Line> lines_of(const std::vector<Cell>& cells, SeriesPlot& plot) {
  std::vector<Line> lines;
  for (const Cell& cell : cells) {
    const auto spread = spread_of(cell, &StudyPoint::vs_spread);
    if (!spread) continue;
    plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *spread);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const Line& l) { return l.series == cell.series && l.facet == cell.facet; });
    if (line == lines.end()) line = lines.insert(line, Line{cell.series, cell.facet, {}, 0, 0, 0, {}});
    for (const StudyPoint* point : cell.points)
      line->points.push_back({static_cast<double>(point->n), point->vs_spread.value_or(0)});
    if (cell.first().n < line->n) continue;
    line->n = cell.first().n;
    line->spread = spread->geometric_mean;
    const auto largest = spread_of(cell, &StudyPoint::vs_max_abs);
    line->largest = largest ? largest->greatest : 0;
  }
  for (Line& line : lines) {
    line.law = fit_power_law(line.points);
    if (line.law) plot.add_fit(line.series, line.facet, *line.law);
  }
  return lines;
}

// Of one facet: who moves farthest, how much farther than who moves least, and how that grows.
void conclude(std::vector<const Line*> lines, Figure& figure) {
  std::sort(lines.begin(), lines.end(), [](const Line* a, const Line* b) { return a->spread > b->spread; });
  const Line& most = *lines.front();
  const Line& least = *lines.back();
  std::string text = fmt::format("At n = {}{}, {} moves by {} (sd of Vs; max |Vs| {})", count_in_words(most.n),
                                 most.facet.empty() ? "" : ", " + most.facet, most.series, part_of_sum(most.spread),
                                 in_words(most.largest));
  if (&least != &most && least.n == most.n)
    text += fmt::format(", {} {}", times_as_far(most.spread / least.spread), least.series);
  const std::string growth = growth_in_words(most.law, "grows", "n");
  figure.conclusions.push_back(text + (growth.empty() ? "." : "; its spread" + growth + "."));
}

std::optional<Figure> draw(const Study& study) {
  if (!varies(study, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = cells_of(study);
  SeriesPlot plot("number of terms n", "spread of Vs", series_names(cells));
  const std::vector<Line> lines = lines_of(cells, plot);
  if (lines.empty()) return std::nullopt;
  Figure figure;
  figure.leads = values_of(study, axes::kFormat).size() < 3;
  for (const std::string& facet : facet_names(cells)) {
    std::vector<const Line*> here;
    for (const Line& line : lines)
      if (line.facet == facet) here.push_back(&line);
    if (!here.empty()) conclude(here, figure);
  }
  figure.spec =
      plot.spec("Spread of sums against the number of terms, on logarithmic axes", varies(study, axes::kFormat));
  figure.caption =
      "Spread: the standard deviation over the samples of Vs = (|S_d| − |S|) / |S_d|, S_d the result of the "
      "baseline. Marks are geometric means over the inputs, bars reach from the least to the greatest input. "
      "Dashed: power laws, least squares on logarithms over all inputs, 95 % intervals of the exponent by "
      "Student's t. Orders and sizes that do not move (a spread of 0) are left out.";
  figure.columns = {"order", "", "spread at the largest n", "max |Vs| there", "grows as n^", "95 % interval", "points"};
  for (const Line& line : lines)
    figure.rows.push_back({line.series, line.facet, in_words(line.spread), in_words(line.largest),
                           line.law ? two_decimals(line.law->exponent) : "–",
                           line.law ? two_decimals(line.law->low) + " to " + two_decimals(line.law->high) : "–",
                           std::to_string(line.law ? line.law->points : line.points.size())});
  return figure;
}

}  // namespace

extern const Chart kGrowthChart;
const Chart kGrowthChart{.name = "growth", .title = "Spread against the number of terms", .draw = draw};

}  // namespace orderlab
