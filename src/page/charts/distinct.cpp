// How many different results there are, against the number of terms.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

std::optional<Figure> draw_distinct(const SweepContent& content) {
  if (!varies(content, axes::kN)) return std::nullopt;
  const std::vector<Cell> cells = cells_of(content);
  SeriesPlot plot("number of terms n", "different results", series_names(cells));
  double samples = 0;
  for (const Cell& cell : cells) {
    const auto distinct = cell.first().random ? spread_of(cell, &SumPoint::distinct) : std::nullopt;
    if (!distinct) continue;
    plot.add(cell.series, cell.facet, static_cast<double>(cell.first().n), *distinct, SeriesPlot::Mark::greatest);
    samples = std::max(samples, static_cast<double>(cell.first().samples));
  }
  if (plot.empty()) return std::nullopt;
  const bool drawn = std::none_of(cells.begin(), cells.end(), [](const Cell& c) { return c.first().all_orders; });
  if (drawn && !varies(content, axes::kSamples))
    for (const std::string& facet : facet_names(cells)) plot.add_reference(facet, "samples", samples, 0);
  Figure figure;
  const Cell* most = nullptr;
  double results = 0;
  const std::vector<Cell> last = at_common_n(cells);
  for (const Cell& cell : last) {
    const auto distinct = cell.first().random ? spread_of(cell, &SumPoint::distinct) : std::nullopt;
    if (!distinct || distinct->greatest <= results) continue;
    results = distinct->greatest;
    most = &cell;
  }
  if (most != nullptr)
    figure.conclusions.push_back(
        fmt::format("{} of {} at n = {}{} gave {} different result{}, the maximum.", samples_in_words(most->first()),
                    most->series, count_in_words(most->first().n), most->facet.empty() ? "" : ", " + most->facet,
                    count_in_words(static_cast<std::uint64_t>(results)), results > 1 ? "s" : ""));
  figure.spec = plot.spec("Number of different results against the number of terms", false);
  figure.caption =
      "Different bit patterns among the results of the samples. Marks: the input with the most. Bars: smallest to "
      "largest input. Dotted: the number of samples; a curve close to it would rise with more samples.";
  return figure;
}

}  // namespace

extern const Chart kDistinctChart;
const Chart kDistinctChart{.name = "distinct", .title = "Different results", .draw = draw_distinct};

}  // namespace orderlab
