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
  std::vector<XY> points;  ///< every input apart, at sizes where all of them move
  std::vector<XY> marks;   ///< one mark at each of those sizes
  std::uint64_t n = 0;     ///< the largest that all lines of the facet have
  Spread spread;           ///< there
  double largest = 0;      ///< |Vs| there
  std::optional<PowerLaw> law;
};

std::vector<GrowthLine> growth_lines(const Measures& measures, const std::vector<Cell>& cells, SeriesPlot& plot) {
  std::vector<GrowthLine> lines;
  std::vector<Cell> moving;  // what may: all but fixed orders
  for (const Cell& cell : cells) {
    const auto spread = spread_of(cell, measures.spread);
    if (!spread) continue;
    moving.push_back(cell);
    plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *spread, SeriesPlot::Mark::rms);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const GrowthLine& l) { return l.series == cell.series && l.facet == cell.facet; });
    if (line == lines.end()) line = lines.insert(line, GrowthLine{cell.series, cell.facet, {}, {}, 0, {}, 0, {}});
    // Without the inputs that do not move the others would be a selection, and the law too flat.
    if (spread->moved < spread->inputs) continue;
    line->marks.push_back({static_cast<double>(cell.first().n), spread->rms});
    for (const SumPoint* point : cell.points)
      line->points.push_back({static_cast<double>(point->n), (point->*measures.spread).value_or(0)});
  }
  for (const Cell& cell : at_common_n(moving)) {
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const GrowthLine& l) {
      return l.series == cell.series && l.facet == cell.facet;
    });
    line->n = cell.first().n;
    line->spread = *spread_of(cell, measures.spread);
    const auto largest = spread_of(cell, measures.largest);
    line->largest = largest ? largest->greatest : 0;
  }
  for (GrowthLine& line : lines) {
    line.law = fit_power_law(line.points);
    if (line.law) plot.add_fit(line.series, line.facet, through(*line.law, line.marks));
  }
  return lines;
}

// Says for one facet who moves farthest, how much farther than who moves least, and how that grows.
void conclude_growth(const SweepContent& content, const std::vector<const GrowthLine*>& lines, Figure& figure) {
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
      fmt::format("{}{} {} by {} (sd{}; largest {} {})", where, most.names, most.several ? "move" : "moves",
                  part_of_sum(most.value, whole_of(content)), top.spread.inputs > 1 ? ", rms over the inputs" : "",
                  content.near_zero ? "difference from the baseline" : "|Vs|", in_words(top.largest));
  text += moved_in_words(top.spread);
  if (!most.all && least.value > 0)
    text += fmt::format(", {} {}", times_as_far(most.value / least.value), least.names);
  else if (!most.all)
    text += fmt::format("; {} {} not move", least.names, least.several ? "do" : "does");
  const std::string growth = growth_in_words(top.law, top.law && top.law->low <= 0 ? "goes" : "grows", "n");
  figure.conclusions.push_back(text + (growth.empty() ? "." : "; the spread of " + top.series + growth + "."));
}

std::optional<Figure> draw_growth(const SweepContent& content) {
  if (!varies(content, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = cells_of(content);
  const Measures measures = measures_of(content);
  SeriesPlot plot("number of terms n", content.near_zero ? "spread / sum|x|" : "spread of Vs", series_names(cells));
  const std::vector<GrowthLine> lines = growth_lines(measures, cells, plot);
  if (!plot.moves()) return std::nullopt;  // other charts say so
  plot.drop_still_facets();
  Figure figure;
  figure.leads = values_of(content, axes::kFormat).size() < 3;
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
  for (const std::vector<const GrowthLine*>& here : facets) conclude_growth(content, here, figure);
  figure.spec =
      plot.spec("Spread of sums against the number of terms, on logarithmic axes", varies(content, axes::kFormat));
  const std::string spread =
      content.near_zero
          ? "standard deviation of the results over sum|x|"
          : fmt::format("standard deviation over the samples of Vs = (|S_d| − |S|) / |S_d|, S_d the result of {}",
                        baseline_in_words(content));
  figure.caption = fmt::format(
      "Spread: {}. Marks: root mean square over the inputs. Bars: smallest to largest input. Hollow marks at 0: no "
      "input "
      "moves. Dashed: power laws. Exponents: least squares on logarithms over the inputs, at sizes where all inputs "
      "move; {} intervals by Student's t. Heights: least squares through the marks.",
      spread, page_confidence_in_words());
  std::vector<std::string> fixed;
  for (const Cell& cell : cells)
    if (!cell.first().random && std::find(fixed.begin(), fixed.end(), cell.series) == fixed.end())
      fixed.push_back(cell.series);
  if (!fixed.empty())
    figure.caption +=
        fmt::format(" Not drawn: {}, fixed {} of spread 0.", listed(fixed), fixed.size() == 1 ? "order" : "orders");
  figure.columns = {"order",
                    "",
                    "n",
                    "spread",
                    content.near_zero ? "largest difference" : "max |Vs|",
                    "grows as n^",
                    page_confidence_in_words() + " interval",
                    "points"};
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
