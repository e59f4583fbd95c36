// The largest |Vs| against the number of terms, and what it consists of: a fixed offset and a spread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

struct Part {
  const char* name;
  Quantity quantity;
  bool greatest;  ///< the greatest over the inputs; else their root mean square
};

constexpr Part kParts[] = {{"max |Vs|, all inputs", &SumPoint::vs_max_abs, true},
                           {"offset: |mean Vs|", &SumPoint::vs_offset, false},
                           {"spread: sd of Vs", &SumPoint::vs_spread, false}};

// Facets also differ by the order, because color shows the parts.
std::string facet_with_order(const Cell& cell, bool several) {
  if (!several) return cell.facet;
  return cell.facet.empty() ? cell.series : cell.facet + ": " + cell.series;
}

void conclude_vs(const std::vector<Cell>& cells, const Cell& last, Figure& figure) {
  std::vector<XY> largest;
  for (const Cell& cell : cells)
    if (const auto vs = spread_of(cell, &SumPoint::vs_max_abs);
        vs && vs->moved > 0 && cell.series == last.series && cell.facet == last.facet)
      largest.push_back({static_cast<double>(cell.first().n), vs->greatest});
  const auto most = spread_of(last, &SumPoint::vs_max_abs);
  const auto offset = spread_of(last, &SumPoint::vs_offset);
  const auto spread = spread_of(last, &SumPoint::vs_spread);
  if (!most || !spread || spread->moved == 0) return;
  const std::string facet = last.facet.empty() ? "" : ", " + last.facet;
  std::string text = fmt::format("At n = {}{}, the largest |Vs| of {} is {}", count_in_words(last.first().n), facet,
                                 last.series, in_words(most->greatest));
  const auto law = fit_power_law(largest);
  if (const std::string growth = growth_in_words(law, "grows", fmt::format("{} n", in_words(law ? law->factor : 0)));
      !growth.empty())
    text += " and" + growth;
  if (offset)
    text += fmt::format("; the offset is {} times the spread{}", in_words(offset->rms / spread->rms),
                        offset->inputs > 1 ? ", both rms over the inputs" : "");
  if (const std::string moved = moved_in_words(*spread); !moved.empty()) text += "; it moves" + moved;
  figure.conclusions.push_back(text + ".");
}

std::optional<Figure> draw_vs(const SweepContent& content) {
  const bool named = std::any_of(content.points.begin(), content.points.end(),
                                 [](const SumPoint& point) { return !point.baseline.empty(); });
  if (!varies(content, axes::kN) || !named) return std::nullopt;
  std::vector<Cell> cells = cells_of(content);
  std::erase_if(cells, [](const Cell& cell) { return !cell.first().random; });
  constexpr std::size_t kMostSeries = 4;
  const std::size_t series = series_names(cells).size();
  if (series == 0 || series > kMostSeries) return std::nullopt;
  SeriesPlot plot("number of terms n", "|Vs|");
  Figure figure;
  for (const Cell& cell : cells)
    for (const Part& part : kParts)
      if (auto value = spread_of(cell, part.quantity)) {
        if (part.greatest && value->moved > 0) {
          value->least = value->greatest;
          value->moved = value->inputs;
        }
        plot.add(part.name, facet_with_order(cell, series > 1), static_cast<double>(cell.first().n), *value,
                 part.greatest ? SeriesPlot::Mark::greatest : SeriesPlot::Mark::rms);
      }
  if (!plot.moves()) return std::nullopt;
  plot.drop_still_facets();
  for (const Cell& last : at_common_n(cells)) conclude_vs(cells, last, figure);
  figure.leads = series == 1;
  figure.spec = plot.spec("The largest |Vs| against the number of terms, with its offset and its spread", false);
  figure.caption = fmt::format(
      "Vs = (|S_d| − |S|) / |S_d|, S_d the result of {} [Shanmugavelu2024]. max |Vs|: over samples and inputs. Offset: "
      "the mean over the samples, a fixed difference between two orders. Spread: the standard deviation over the "
      "samples, what differs from run to run. Both are root mean squares over the inputs. Hollow marks at 0: Vs is 0.",
      baseline_in_words(content));
  return figure;
}

}  // namespace

extern const Chart kVsChart;
const Chart kVsChart{.name = "vs", .title = "The largest |Vs|, its offset and its spread", .draw = draw_vs};

}  // namespace orderlab
