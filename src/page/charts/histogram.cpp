// Histograms of the error of random orders.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/error_shape.hpp"
#include "page/number_words.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

using vega::Json;

constexpr std::size_t kMostPanels = 12;

std::string panel_of(const Cell& cell) { return cell.facet.empty() ? cell.series : cell.series + ", " + cell.facet; }

void conclude(const StudyPoint& point, const std::string& panel, Figure& figure) {
  const double mean_error = mean(point.errors);
  if (!point.error_sd || !(*point.error_sd > 0)) return;
  figure.conclusions.push_back(fmt::format("{}: errors lie between {} and {} ulp, mean {}, sd {}.", panel,
                                           in_words(point.errors.front().value), in_words(point.errors.back().value),
                                           in_words(mean_error), in_words(*point.error_sd)));
}

std::optional<Figure> draw(const Study& study) {
  Json rows = Json::array();
  std::vector<std::string> panels;
  Figure figure;
  for (const Cell& cell : at_largest_n(cells_of(study))) {
    const StudyPoint& point = cell.first();
    if (!point.random || point.errors.size() < 2 || panels.size() == kMostPanels) continue;
    panels.push_back(panel_of(cell));
    conclude(point, panels.back(), figure);
    for (const HistogramBar& bar : histogram_of(point.errors))
      rows.push_back({{"kind", "bar"},
                      {"facet", panels.back()},
                      {"low", vega::number(bar.low)},
                      {"high", vega::number(bar.high)},
                      {"fraction", vega::number(bar.fraction)}});
    const double reach = point.errors.back().value - point.errors.front().value;
    for (const double side :
         {-1.0, 1.0}) {  // bounds that lie far outside would squeeze the bars: those stay in the text
      const double bound = side * point.probabilistic_bound.value_or(INFINITY);
      if (bound > point.errors.front().value - reach / 2 && bound < point.errors.back().value + reach / 2)
        rows.push_back({{"kind", "bound"}, {"facet", panels.back()}, {"low", vega::number(bound)}});
    }
  }
  if (panels.empty()) return std::nullopt;
  Json bar{{"x", vega::linear_channel("low", "error, ulp")},
           {"x2", {{"field", "high"}}},
           {"y", {{"field", "fraction"}, {"type", "quantitative"}, {"title", "fraction of samples"}}},
           {"y2", {{"datum", 0}}},
           {"tooltip",
            {{{"field", "low"}, {"format", ".4~g"}},
             {{"field", "high"}, {"format", ".4~g"}},
             {{"field", "fraction"}, {"format", ".3~g"}}}}};
  vega::Facets facets{panels, true, true, 170};
  figure.spec = vega::spec("Histograms of the error in ulps", rows,
                           {vega::layer("bar", {{"type", "rect"}}, bar),
                            vega::layer("bound", {{"type", "rule"}, {"style", "reference"}}, {{"x", bar["x"]}})},
                           facets);
  figure.caption =
      "Error against the exact sum, in ulps of it, of the first input at the largest n. Bars are as wide as a power of "
      "two "
      "ulps. Dotted: the probabilistic bound P3, where it lies near.";
  return figure;
}

}  // namespace

extern const Chart kHistogramChart;
const Chart kHistogramChart{.name = "histogram", .title = "Distribution of the error", .draw = draw};

}  // namespace orderlab
