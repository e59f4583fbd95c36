// How far sums move against the number of terms.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/power_law.hpp"
#include "page/ranking.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

struct GrowthLine {
  std::string series;
  std::string facet;
  std::vector<XY> points;  ///< every input apart
  std::uint64_t n = 0;     ///< the largest that all lines of the facet have
  Spread spread;           ///< there
  double largest = 0;      ///< |Vs| there
  std::optional<PowerLaw> law;
};

std::vector<GrowthLine> growth_lines(const std::vector<Cell>& cells, SeriesPlot& plot) {
  std::vector<GrowthLine> lines;
  std::vector<Cell> moving;  // what may: all but fixed orders
  for (const Cell& cell : cells) {
    const auto spread = spread_of(cell, &StudyPoint::vs_spread);
    if (!spread) continue;
    moving.push_back(cell);
    plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *spread, SeriesPlot::Mark::rms);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const GrowthLine& l) { return l.series == cell.series && l.facet == cell.facet; });
    if (line == lines.end()) line = lines.insert(line, GrowthLine{cell.series, cell.facet, {}, 0, {}, 0, {}});
    for (const StudyPoint* point : cell.points)
      line->points.push_back({static_cast<double>(point->n), point->vs_spread.value_or(0)});
  }
  for (const Cell& cell : at_common_n(moving)) {
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const GrowthLine& l) {
      return l.series == cell.series && l.facet == cell.facet;
    });
    line->n = cell.first().n;
    line->spread = *spread_of(cell, &StudyPoint::vs_spread);
    const auto largest = spread_of(cell, &StudyPoint::vs_max_abs);
    line->largest = largest ? largest->greatest : 0;
  }
  for (GrowthLine& line : lines) {
    line.law = fit_power_law(line.points);
    if (line.law) plot.add_fit(line.series, line.facet, *line.law);
  }
  return lines;
}

// Of one facet: who moves farthest, how much farther than who moves least, and how that grows.
void conclude_growth(const std::vector<const GrowthLine*>& lines, Figure& figure) {
  std::vector<Ranked> spreads;
  for (const GrowthLine* line : lines) spreads.push_back({line->spread.rms, line->series});
  const GrowthLine& top = **std::max_element(lines.begin(), lines.end(), [](const GrowthLine* a, const GrowthLine* b) {
    return a->spread.rms < b->spread.rms;
  });
  const Tie most = greatest_of(spreads, "random orders");
  const Tie least = least_of(spreads, "random orders");
  const std::string where =
      fmt::format("At n = {}{}, ", count_in_words(top.n), top.facet.empty() ? "" : ", " + top.facet);
  if (!(most.value > 0)) {
    figure.conclusions.push_back(where + most.names + (most.several ? " do" : " does") +
                                 " not move: every sample gives the same result.");
    return;
  }
  std::string text =
      fmt::format("{}{} {} by {} (sd of Vs{}; max |Vs| {})", where, most.names, most.several ? "move" : "moves",
                  part_of_sum(most.value), top.spread.inputs > 1 ? ", rms over the inputs" : "", in_words(top.largest));
  text += moved_in_words(top.spread);
  if (!most.all && least.value > 0)
    text += fmt::format(", {} {}", times_as_far(most.value / least.value), least.names);
  else if (!most.all)
    text += fmt::format("; {} {} not move", least.names, least.several ? "do" : "does");
  const std::string growth = growth_in_words(top.law, "grows", "n");
  figure.conclusions.push_back(text + (growth.empty() ? "." : "; the spread of " + top.series + growth + "."));
}

std::optional<Figure> draw_growth(const Study& study) {
  if (!varies(study, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = cells_of(study);
  SeriesPlot plot("number of terms n", "spread of Vs", series_names(cells));
  const std::vector<GrowthLine> lines = growth_lines(cells, plot);
  if (plot.empty()) return std::nullopt;  // nothing moves: other charts say so
  Figure figure;
  figure.leads = values_of(study, axes::kFormat).size() < 3;
  std::vector<std::vector<const GrowthLine*>> facets;
  for (const std::string& facet : facet_names(cells)) {
    std::vector<const GrowthLine*> here;
    for (const GrowthLine& line : lines)
      if (line.facet == facet && line.n > 0) here.push_back(&line);
    if (!here.empty()) facets.push_back(std::move(here));
  }
  std::stable_partition(facets.begin(), facets.end(), [](const std::vector<const GrowthLine*>& here) {
    return std::any_of(here.begin(), here.end(), [](const GrowthLine* line) { return line->spread.moved > 0; });
  });
  for (const std::vector<const GrowthLine*>& here : facets) conclude_growth(here, figure);
  figure.spec =
      plot.spec("Spread of sums against the number of terms, on logarithmic axes", varies(study, axes::kFormat));
  figure.caption =
      "Spread: the standard deviation over the samples of Vs = (|S_d| − |S|) / |S_d|, S_d the result of the "
      "baseline. Marks are root mean squares over the inputs, bars reach from the least above 0 to the greatest input. "
      "Dashed: power laws, least squares on logarithms over the inputs that moved only, 95 % intervals of the exponent "
      "by Student's t. Where no input moves (a spread of 0) there is no mark.";
  figure.columns = {"order", "", "n", "spread there", "max |Vs| there", "grows as n^", "95 % interval", "points"};
  for (const GrowthLine& line : lines)
    figure.rows.push_back({line.series, line.facet, line.n > 0 ? count_in_words(line.n) : "–",
                           in_words(line.spread.rms), in_words(line.largest),
                           line.law ? two_decimals(line.law->exponent) : "–",
                           line.law ? two_decimals(line.law->low) + " to " + two_decimals(line.law->high) : "–",
                           std::to_string(line.law ? line.law->points : line.points.size())});
  return figure;
}

}  // namespace

extern const Chart kGrowthChart;
const Chart kGrowthChart{.name = "growth", .title = "Spread against the number of terms", .draw = draw_growth};

}  // namespace orderlab
