// The largest error against the number of terms.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/ranking.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

/// Beyond this a running sum has lost half of what was to be added.
constexpr double kStandsStill = 0.5;

std::string off_by(const Tie& tie, const char* more = "") {
  if (!(tie.value > 0)) return fmt::format("{} {} exact", tie.names, tie.is());
  return fmt::format("{} {} off by {}{}", tie.names, tie.is(), part_of_sum(tie.value), more);
}

/// A sentence, and how large the largest error in it is: what comes first.
using Sentence = std::pair<double, std::string>;

std::optional<Sentence> conclude_accuracy(const std::string& facet, const std::vector<Cell>& compared) {
  std::vector<Ranked> errors;
  std::vector<Ranked> still;
  for (const Cell& cell : compared) {
    const auto error = spread_of(cell, &StudyPoint::relative_max_abs);
    if (!error || cell.facet != facet || not_finite_of(cell) > 0) continue;
    errors.push_back({error->greatest, cell.series});
    if (error->greatest > kStandsStill && cell.first().condition.value_or(0) < 2) still.push_back(errors.back());
  }
  if (errors.empty()) return std::nullopt;
  const auto at = std::find_if(compared.begin(), compared.end(), [&](const Cell& c) { return c.facet == facet; });
  const Tie best = least_of(errors);
  const Tie worst = greatest_of(errors);
  std::string text = fmt::format("At {}, ", place_in_words(*at));
  if (!still.empty()) {
    std::vector<std::string> names;
    for (const Ranked& one : still) names.push_back(one.name);
    text += fmt::format("the sum by {} has stood still, off by {}{}", listed(names),
                        part_of_sum(greatest_of(still).value), still.size() > 1 ? " at most" : "");
    if (still.size() < errors.size()) text += "; " + off_by(best, " at most");
  } else {
    text += off_by(best, " at most");
    if (!best.all) text += fmt::format(", {} by {}", worst.names, part_of_sum(worst.value));
  }
  return Sentence{worst.value, text + "."};
}

std::optional<Figure> draw_accuracy(const Study& study) {
  if (!varies(study, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = cells_of(study);
  SeriesPlot plot("number of terms n", "largest relative error", series_names(cells));
  for (const Cell& cell : cells)
    if (const auto error = spread_of(cell, &StudyPoint::relative_max_abs))
      plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *error, SeriesPlot::Mark::greatest);
  if (plot.empty()) return std::nullopt;
  for (const std::string& facet : facet_names(cells)) {
    const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Cell& c) { return c.facet == facet; });
    plot.add_reference(facet, "u", info(cell->first().formats.result).unit_roundoff(), 0);
  }
  Figure figure;
  figure.leads = varies(study, axes::kFormat) && values_of(study, axes::kFormat).size() > 2;
  const std::vector<Cell> compared = compared_cells(study);
  std::vector<Sentence> sentences;
  for (const std::string& facet : facet_names(compared))
    if (auto sentence = conclude_accuracy(facet, compared)) sentences.push_back(*std::move(sentence));
  std::stable_sort(sentences.begin(), sentences.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [error, sentence] : sentences) figure.conclusions.push_back(sentence);
  figure.spec =
      plot.spec("Largest relative error of the sums against the number of terms", varies(study, axes::kFormat));
  figure.caption =
      "Largest |computed − exact| / |exact| over the samples: marks of all inputs, bars down to the input with the "
      "least above 0. Dotted: u, the unit roundoff of the result's format. Sums without any error have no mark, for "
      "their error is 0, and neither have sums that overflow.";
  return figure;
}

}  // namespace

extern const Chart kAccuracyChart;
const Chart kAccuracyChart{
    .name = "accuracy", .title = "Largest error against the number of terms", .draw = draw_accuracy};

}  // namespace orderlab
