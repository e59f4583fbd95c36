// The largest error against the number of terms.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/ranking.hpp"
#include "page/series_plot.hpp"
#include "page/stopped_sums.hpp"

namespace orderlab {

namespace {

// The least and the greatest of the orders' largest errors: numbers of these inputs, no ranking.
std::optional<std::pair<double, std::string>> conclude_accuracy(const SweepContent& content, const std::string& facet,
                                                                const std::vector<Cell>& compared) {
  std::vector<Ranked> errors;
  for (const Cell& cell : compared) {
    const auto error = spread_of(cell, measures_of(content).error);
    if (!error || cell.facet != facet || not_finite_of(cell) > 0) continue;
    errors.push_back({error->greatest, cell.series});
  }
  if (errors.empty()) return std::nullopt;
  const auto at = std::find_if(compared.begin(), compared.end(), [&](const Cell& c) { return c.facet == facet; });
  const Tie least = least_of(errors);
  const Tie greatest = greatest_of(errors);
  std::string text = fmt::format("At {}, ", place_in_words(*at));
  if (!(greatest.value > 0))
    text += fmt::format("{} {} exact", greatest.names, greatest.is());
  else if (least.all)
    text += fmt::format("the largest error of {} is {}", least.names, part_of_sum(least.value, whole_of(content)));
  else
    text += fmt::format("the largest errors range from {} ({}) to {} ({})", part_in_words(least.value), least.names,
                        part_of_sum(greatest.value, whole_of(content)), greatest.names);
  return std::pair{greatest.value, text + "."};
}

std::optional<Figure> draw_accuracy(const SweepContent& content) {
  if (!varies(content, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = cells_of(content);
  const Measures measures = measures_of(content);
  SeriesPlot plot("number of terms n", content.near_zero ? "largest error / sum|x|" : "largest relative error",
                  series_names(cells));
  for (const Cell& cell : cells)
    if (const auto error = spread_of(cell, measures.error))
      plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *error, SeriesPlot::Mark::greatest);
  if (plot.empty()) return std::nullopt;
  for (const std::string& facet : facet_names(cells)) {
    const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Cell& c) { return c.facet == facet; });
    plot.add_reference(facet, "u", info(cell->first().formats.result).unit_roundoff(), 0);
  }
  Figure figure;
  figure.conclusions = stopped_in_words(cells);
  figure.answers = figure.conclusions.size();
  const bool random = std::any_of(content.points.begin(), content.points.end(), [](const auto& p) { return p.random; });
  figure.leads = figure.answers > 0 || (random && values_of(content, axes::kFormat).size() > 2);
  const std::vector<Cell> compared = compared_cells(content);
  std::vector<std::pair<std::pair<double, std::string>, std::string>> sentences;
  for (const std::string& facet : facet_names(compared))
    if (auto sentence = conclude_accuracy(content, facet, compared)) sentences.push_back({*std::move(sentence), facet});
  std::stable_sort(sentences.begin(), sentences.end(),
                   [](const auto& a, const auto& b) { return a.first.first > b.first.first; });
  for (const auto& [sentence, facet] : sentences) figure.conclusions.push_back(sentence.second);
  for (const std::string& facet : facet_names(cells))
    if (!figure.conclusions.empty() && figure.headline.empty() && figure.conclusions[0].starts_with(facet))
      figure.headline = facet;
  figure.spec = plot.spec("Largest error of the sums against the number of terms", varies(content, axes::kFormat));
  figure.caption = fmt::format(
      "Largest |computed − exact| / {} over samples and inputs. Bars: smallest to largest input. Hollow marks at 0: "
      "exact on all inputs. Dotted: u, the unit roundoff of the result's format. Sums that overflow have no mark.",
      content.near_zero ? "sum|x|" : "|exact|");
  return figure;
}

}  // namespace

extern const Chart kAccuracyChart;
const Chart kAccuracyChart{
    .name = "accuracy", .title = "Largest error against the number of terms", .draw = draw_accuracy};

}  // namespace orderlab
