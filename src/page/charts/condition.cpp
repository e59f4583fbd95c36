// Errors against the condition number of the terms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/power_law.hpp"
#include "page/ranking.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

/// The least ratio of two condition numbers that makes an axis.
constexpr double kLeastStep = 10;

// Where a cell stands on the axis; conditions are 1 at least, and those of one distribution near each other.
std::optional<double> condition_of(const Cell& cell) {
  double logs = 0;
  for (const SumPoint* point : cell.points) {
    const double condition = point->condition.value_or(INFINITY);
    if (!std::isfinite(condition)) return std::nullopt;
    logs += std::log(condition);
  }
  return std::exp(logs / static_cast<double>(cell.points.size()));
}

// Whether the distributions differ by their condition: three of them at least, each far from the next.
bool has_axis(const std::vector<Cell>& cells) {
  std::map<std::string, double> conditions;
  for (const Cell& cell : cells)
    if (const auto condition = condition_of(cell)) conditions.emplace(cell.first().terms, *condition);
  std::vector<double> sorted;
  for (const auto& [terms, condition] : conditions) sorted.push_back(condition);
  std::sort(sorted.begin(), sorted.end());
  std::size_t far = 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) far += sorted[i] / sorted[i - 1] >= kLeastStep ? 1U : 0U;
  return sorted.size() >= 3 && far == sorted.size();
}

struct ConditionLine {
  std::string series;
  std::string facet;
  std::vector<XY> points;
  XY last{0, 0};  ///< at the greatest condition number
};

std::vector<ConditionLine> condition_lines(const std::vector<Cell>& cells, SeriesPlot& plot) {
  std::vector<ConditionLine> lines;
  for (const Cell& cell : cells) {
    const auto condition = condition_of(cell);
    const auto error = spread_of(cell, &SumPoint::relative_max_abs);
    if (!condition || !error) continue;
    plot.add(cell.series, cell.facet, *condition, *error, SeriesPlot::Mark::greatest);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const ConditionLine& l) { return l.series == cell.series && l.facet == cell.facet; });
    if (line == lines.end()) line = lines.insert(line, ConditionLine{cell.series, cell.facet, {}});
    for (const SumPoint* point : cell.points)
      line->points.push_back({point->condition.value_or(0), point->relative_max_abs.value_or(0)});
    if (*condition > line->last.x) line->last = {*condition, error->greatest};
  }
  return lines;
}

// Lines that end where the facet does: in a part of a sweep others may not have come so far.
void conclude_condition(const std::vector<ConditionLine>& lines, const std::string& facet, Figure& figure) {
  double greatest = 0;
  for (const ConditionLine& line : lines)
    if (line.facet == facet) greatest = std::max(greatest, line.last.x);
  std::vector<Ranked> errors;
  const ConditionLine* grows = nullptr;
  for (const ConditionLine& line : lines) {
    if (line.facet != facet || line.last.x * kLeastStep < greatest) continue;
    errors.push_back({line.last.y, line.series});
    if (grows == nullptr || line.last.y > grows->last.y) grows = &line;
  }
  if (errors.empty()) return;
  const Tie worst = greatest_of(errors);
  const Tie best = least_of(errors);
  std::string text = fmt::format("At condition number {}{}, ", in_words(greatest), facet.empty() ? "" : ", " + facet);
  text += worst.value > 0 ? fmt::format("{} {} off by {}", worst.names, worst.is(), part_of_sum(worst.value))
                          : fmt::format("{} {} exact", worst.names, worst.is());
  if (!worst.all)
    text += best.value > 0 ? fmt::format(" and {} by {}", best.names, part_of_sum(best.value))
                           : fmt::format(" and {} {} exact", best.names, best.is());
  if (const std::string growth = growth_in_words(fit_power_law(grows->points), "grows", "κ"); !growth.empty())
    text += "; the error of " + grows->series + growth;
  figure.conclusions.push_back(text + ".");
}

std::optional<Figure> draw_condition(const SweepContent& content) {
  std::vector<Cell> cells = compared_cells(content, &axes::kDist);
  if (!varies(content, axes::kDist) || !has_axis(cells)) return std::nullopt;
  SeriesPlot plot("condition number κ = sum |x| / |sum x|", "largest relative error", series_names(cells));
  const std::vector<ConditionLine> lines = condition_lines(cells, plot);
  if (lines.empty()) return std::nullopt;
  Figure figure;
  figure.leads = !varies(content, axes::kN);
  figure.columns = {"order", "", "error at the greatest κ", "grows as κ^", page_confidence_in_words() + " interval"};
  for (const ConditionLine& line : lines) {
    const auto law = fit_power_law(line.points);
    figure.rows.push_back({line.series, line.facet, in_words(line.last.y), law ? two_decimals(law->exponent) : "–",
                           law ? two_decimals(law->low) + " to " + two_decimals(law->high) : "–"});
  }
  for (const std::string& facet : facet_names(cells)) {
    const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Cell& c) { return c.facet == facet; });
    plot.add_reference(facet, "u κ", cell->first().unit_roundoff, 1);
    conclude_condition(lines, facet, figure);
  }
  figure.spec = plot.spec("Largest relative error against the condition number of the terms", false);
  figure.caption =
      "Largest |computed − exact| / |exact| over samples and inputs. Bars: smallest to largest input. Hollow marks at "
      "0: exact on all inputs. Powers of κ: least squares on logarithms over the inputs with an error, intervals by "
      "Student's t. Dotted: u κ. Errors stay below about h u κ, h the height of the tree.";
  return figure;
}

}  // namespace

extern const Chart kConditionChart;
const Chart kConditionChart{.name = "condition", .title = "Error against the condition number", .draw = draw_condition};

}  // namespace orderlab
