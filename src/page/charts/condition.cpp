// Errors against the condition number of the terms.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/power_law.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

/// Conditions that are nearer to each other are no axis.
constexpr double kLeastStep = 10;

// Whether the distributions differ by their condition: three of them at least, each far from the next.
bool has_axis(const std::vector<Cell>& cells) {
  std::map<std::string, double> conditions;
  for (const Cell& cell : cells)
    if (const auto condition = spread_of(cell, &StudyPoint::condition))
      conditions.emplace(cell.first().terms, condition->geometric_mean);
  std::vector<double> sorted;
  for (const auto& [terms, condition] : conditions) sorted.push_back(condition);
  std::sort(sorted.begin(), sorted.end());
  std::size_t far = 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) far += sorted[i] / sorted[i - 1] >= kLeastStep ? 1U : 0U;
  return sorted.size() >= 3 && far == sorted.size();
}

struct Line {
  std::string series;
  std::string facet;
  std::vector<XY> points;
  XY last{0, 0};  ///< at the greatest condition number
};

std::vector<Line> lines_of(const std::vector<Cell>& cells, SeriesPlot& plot) {
  std::vector<Line> lines;
  for (const Cell& cell : cells) {
    const auto condition = spread_of(cell, &StudyPoint::condition);
    const auto error = spread_of(cell, &StudyPoint::relative_max_abs);
    if (!condition || !error) continue;
    plot.add(cell.series, cell.facet, condition->geometric_mean, *error);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const Line& l) { return l.series == cell.series && l.facet == cell.facet; });
    if (line == lines.end()) line = lines.insert(line, Line{cell.series, cell.facet, {}});
    for (const StudyPoint* point : cell.points)
      line->points.push_back({point->condition.value_or(0), point->relative_max_abs.value_or(0)});
    if (condition->geometric_mean > line->last.x) line->last = {condition->geometric_mean, error->geometric_mean};
  }
  return lines;
}

void conclude(const std::vector<Line>& lines, const std::string& facet, Figure& figure) {
  const Line* best = nullptr;
  const Line* worst = nullptr;
  for (const Line& line : lines) {
    if (line.facet != facet) continue;
    if (best == nullptr || line.last.y < best->last.y) best = &line;
    if (worst == nullptr || line.last.y > worst->last.y) worst = &line;
  }
  if (best == nullptr) return;
  std::string text = fmt::format("At condition number {}{}, {} is off by {}", in_words(worst->last.x),
                                 facet.empty() ? "" : ", " + facet, worst->series, part_of_sum(worst->last.y));
  if (best != worst) text += fmt::format(" and {} by {}", best->series, part_of_sum(best->last.y));
  if (const std::string growth = growth_in_words(fit_power_law(worst->points), "grows", "κ"); !growth.empty())
    text += "; the error of " + worst->series + growth;
  figure.conclusions.push_back(text + ".");
}

std::optional<Figure> draw(const Study& study) {
  std::vector<Cell> cells = at_largest_n(cells_of(study, &axes::kTerms));
  if (!varies(study, axes::kTerms) || !has_axis(cells)) return std::nullopt;
  SeriesPlot plot("condition number κ = sum |x| / |sum x|", "largest relative error", series_names(cells));
  const std::vector<Line> lines = lines_of(cells, plot);
  if (lines.empty()) return std::nullopt;
  Figure figure;
  figure.leads = !varies(study, axes::kN);
  figure.columns = {"order", "", "error at the greatest κ", "grows as κ^", "95 % interval"};
  for (const Line& line : lines) {
    const auto law = fit_power_law(line.points);
    figure.rows.push_back({line.series, line.facet, in_words(line.last.y), law ? two_decimals(law->exponent) : "–",
                           law ? two_decimals(law->low) + " to " + two_decimals(law->high) : "–"});
  }
  for (const std::string& facet : facet_names(cells)) {
    const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Cell& c) { return c.facet == facet; });
    plot.add_reference(facet, "u κ", cell->first().unit_roundoff, 1);
    conclude(lines, facet, figure);
  }
  figure.spec = plot.spec("Largest relative error against the condition number of the terms", false);
  figure.caption =
      "Largest |computed − exact| / |exact| over the samples, geometric mean over the inputs, bars from the least to "
      "the "
      "greatest. Powers of κ are fitted by least squares on logarithms over all inputs, with intervals by Student's t. "
      "Dotted: u κ, a relative rounding error of the sum of magnitudes; errors stay below about h u κ, h the tree's "
      "height.";
  return figure;
}

}  // namespace

extern const Chart kConditionChart;
const Chart kConditionChart{.name = "condition", .title = "Error against the condition number", .draw = draw};

}  // namespace orderlab
